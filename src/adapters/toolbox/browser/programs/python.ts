import createPyodideModule from 'pyodide/pyodide.asm.mjs';
import { openPython } from '../../engines/python.ts';
import { FILES_AT } from './files.ts';
import { serve } from './serve.ts';

serve(() => openPython({ indexURL: FILES_AT, createPyodideModule }));
