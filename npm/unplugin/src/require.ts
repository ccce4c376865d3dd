// Packages for require. Each entry exports its plugin as "module.exports", too: require gives that, instead of a
// namespace. Declarations do not name it, because older compilers cannot read such a name.

/** A plugin that is its own default, as a namespace has one. */
export const withDefault = <Plugin extends object>(plugin: Plugin): Plugin & { default: Plugin } => Object.assign(plugin, { default: plugin });
