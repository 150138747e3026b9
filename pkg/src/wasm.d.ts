/** A host that compiles wasm beforehand gives a module. */
declare module '*.wasm' {
  const module: WebAssembly.Module
  export default module
}
