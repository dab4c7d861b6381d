import fc from 'fast-check';

/** Property tests try the same values in every run, so that red is red for everybody; FC_SEED=n looks elsewhere. */
fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20_261_122) });
