import { wordsIn, type LanguageRules } from '../rules.ts';

const ACCESS = ['public', 'protected', 'private'];

export const ruby: LanguageRules = {
  grammar: 'ruby',
  namesOwners: true,
  namespaceMethods: true,
  separator: '::',
  doc: /^(#(?!!)|=begin)/,
  query: `
    (module name: (_) @name) @namespace
    (class name: (_) @name) @class
    (singleton_class "class" @name) @static
    (method name: (_) @name) @function
    (singleton_method object: (_) @owner name: (_) @name) @method
    (assignment left: (constant) @name right: (call receiver: (constant) @_class method: (identifier) @_new)
      (#any-of? @_class "Class" "Struct") (#eq? @_new "new")) @class
    (assignment left: (constant) @name right: (call receiver: (constant) @_class method: (identifier) @_new)
      (#eq? @_class "Module") (#eq? @_new "new")) @namespace
    (alias name: (_) @name) @method
    (call method: (identifier) arguments: (argument_list [(method) (singleton_method)])) @wrap
    (body_statement (identifier) @access)
    (body_statement (call method: (identifier) arguments: (argument_list (simple_symbol))) @access)
    (comment) @comment
  `,
  ownerOf: (raw) => (raw === 'self' ? '' : raw),
  sectionOf: (raw) => (ACCESS.includes(raw) ? raw : null),
  namedAccessOf(raw) {
    const said = /^(public|protected|private)(_class_method)?[\s(]+(:[^]*?)\)?$/.exec(raw);
    if (!said?.[1] || !said[3]) return null;
    const names = said[3].split(',').map((name) => name.trim().replace(/^:/, ''));
    return { access: said[1], names, owned: said[2] !== undefined };
  },
  accessOf({ type, section, owned, head }) {
    if (type !== 'method') return null;
    return wordsIn(head, ACCESS) ?? section ?? (owned ? 'public' : null);
  },
  separatorOf: ({ type, owned }) => (type === 'method' ? (owned ? '.' : '#') : '::'),
};
