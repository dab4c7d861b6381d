/** What stands before how a document wants to be cited. */
export const CITE =
  /\b(?:(?:how to )?cite (?:this|as)|to cite|please cite|cit(?:e|ation) (?:this )?(?:article|paper|chapter|as)|citation:|suggested citation|recommended citation|reference format|zitierweise|pour citer|c[oó]mo citar|come citare|how to cite|для цитирования|引用格式|引用本文)/i;
