/** The part of WebAssembly that is used here. TypeScript declares it only together with the DOM. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum: number });
    readonly buffer: ArrayBuffer;
  }
  type Module = object;
  const Module: new (bytes: Uint8Array) => Module;
  class Instance {
    constructor(module: Module, imports: { env: { memory: Memory } });
    readonly exports: object;
  }
}
