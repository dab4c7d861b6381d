# Targets for a Makefile of your own: `include /path/to/accession/scripts/documents.mk`.
#
#   make scan-metadata [DIR=data_raw] [WRITE=1] [RENAME=yes] [SKIP_EXISTING=1]
#   make repair-metadata FILE=paper.pdf

ACCESSION_DOCUMENTS := node $(dir $(lastword $(MAKEFILE_LIST)))accession.mjs documents
DIR ?= data_raw
RENAME ?= yes

.PHONY: scan-metadata repair-metadata

scan-metadata:
	$(ACCESSION_DOCUMENTS) scan --dir '$(DIR)' --rename '$(RENAME)' $(if $(WRITE),--write,--dry-run) $(if $(SKIP_EXISTING),--skip-existing)

repair-metadata:
	$(if $(FILE),,$(error say which file: make repair-metadata FILE=paper.pdf))
	$(ACCESSION_DOCUMENTS) repair '$(FILE)' --rename '$(RENAME)'
