import { readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

type C2pa = typeof import('@contentauth/c2pa-wasm');

/** Size of the pages in which WebAssembly counts memory. */
const WASM_PAGE_BYTES = 65_536;

/**
 * Largest memory of c2pa-wasm, which is enough for a file of 190 MiB. c2pa-wasm reads a file into
 * memory twice, part by part, while it computes the hash.
 */
const MAX_MEMORY_BYTES = 512 * 1024 * 1024;

/** A `WebAssembly.Module`, for which Node's types have no name. */
export type CompiledC2pa = object;

let compiled: Promise<CompiledC2pa> | undefined;
let loaded: Promise<C2pa> | undefined;

/**
 * Loads c2pa-wasm, the official C2PA implementation compiled to WebAssembly. The first call takes
 * about 70 ms and 40 MB, so a process that signs makes this call while it warms up.
 * @param module code that another thread has compiled. Default: compiled here
 */
export function loadC2pa(module?: CompiledC2pa): Promise<C2pa> {
  loaded ??= (async () => {
    const c2pa = await import('@contentauth/c2pa-wasm');
    installFileReader();
    c2pa.initSync({ module: module ?? (await compileC2pa()) });
    return c2pa;
  })().catch((error: unknown) => {
    // The next call tries again, because the cause, such as a lack of memory, may be gone by then.
    loaded = undefined;
    throw error;
  });
  return loaded;
}

interface WebAssemblyScope {
  WebAssembly: { compile(binary: Uint8Array): Promise<CompiledC2pa> };
}

/** Compiles c2pa-wasm with a limit on its memory, once for each process. */
export function compileC2pa(): Promise<CompiledC2pa> {
  compiled ??= (async () => {
    const file = fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm'));
    const { WebAssembly } = globalThis as unknown as WebAssemblyScope;
    const published = await readFile(file);
    const bound = boundMemory(published, MAX_MEMORY_BYTES / WASM_PAGE_BYTES);
    // Frees 9 MB at once instead of leaving them to the garbage collector. `bound` is a copy.
    published.buffer.transfer(0);
    try {
      return await WebAssembly.compile(bound);
    } finally {
      // The compiler has its own copy.
      bound.buffer.transfer(0);
    }
  })().catch((error: unknown) => {
    compiled = undefined;
    throw error;
  });
  return compiled;
}

/**
 * Copies a WebAssembly binary and limits its only memory to `maxPages` (WebAssembly core
 * specification 5.5.8, Memory Section). A few hostile bytes could make the published binary grow to
 * 4 GiB; with the limit, it fails instead.
 */
export function boundMemory(binary: Uint8Array, maxPages: number): Uint8Array<ArrayBuffer> {
  const MEMORY_SECTION = 5;
  for (let at = 8; at < binary.length;) {
    const section = at;
    const size = leb128(binary, at + 1);
    const end = size.next + size.value;
    if (binary[section] === MEMORY_SECTION) {
      const count = leb128(binary, size.next);
      const least = leb128(binary, count.next + 1);
      if (count.value !== 1 || (binary[count.next]! & ~1) !== 0)
        throw new Error('Not one plain 32-bit memory.');
      const body = [1, 1, ...toLeb128(least.value), ...toLeb128(maxPages)];
      const replacement = [MEMORY_SECTION, ...toLeb128(body.length), ...body];
      const bound = new Uint8Array(section + replacement.length + binary.length - end);
      bound.set(binary.subarray(0, section));
      bound.set(replacement, section);
      bound.set(binary.subarray(end), section + replacement.length);
      return bound;
    }
    at = end;
  }
  throw new Error('The WebAssembly binary has no memory section.');
}

function leb128(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    if (byte === undefined || shift > 28) throw new Error('The WebAssembly binary is damaged.');
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next: at };
  }
}

function toLeb128(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...toLeb128(Math.floor(value / 0x80))];
}

/** Bytes that c2pa-wasm reads piece by piece, as it would read a browser's Blob. */
class ByteSource {
  readonly read: (into: Uint8Array, from: number) => void;
  readonly start: number;
  readonly size: number;

  constructor(read: (into: Uint8Array, from: number) => void, start: number, size: number) {
    this.read = read;
    this.start = start;
    this.size = size;
  }

  slice(from = 0, to = this.size): ByteSource {
    const end = Math.min(to, this.size);
    return new ByteSource(this.read, this.start + Math.min(from, end), Math.max(0, end - from));
  }
}

/** Wraps bytes for c2pa-wasm without the copy that a real Blob makes. */
export function blobOfBytes(bytes: Uint8Array): Blob {
  const read = (into: Uint8Array, from: number) => into.set(bytes.subarray(from, from + into.length));
  return new ByteSource(read, 0, bytes.length) as unknown as Blob;
}

/**
 * Wraps an open file for c2pa-wasm, whose bytes are read on request. `fd` must stay open until
 * c2pa-wasm has finished.
 */
export function blobOfFile(fd: number, sizeBytes: number): Blob {
  const read = (into: Uint8Array, from: number) => {
    if (readSync(fd, into, 0, into.length, from) < into.length)
      throw new Error('The file became shorter while it was read.');
  };
  return new ByteSource(read, 0, sizeBytes) as unknown as Blob;
}

/**
 * Installs the class `FileReaderSync`, through which c2pa-wasm reads. Workers of browsers have it,
 * but Node does not.
 */
function installFileReader(): void {
  const scope = globalThis as { FileReaderSync?: unknown };
  scope.FileReaderSync ??= class {
    readAsArrayBuffer(source: ByteSource): ArrayBuffer {
      const bytes = new Uint8Array(source.size);
      source.read(bytes, source.start);
      return bytes.buffer;
    }
  };
}
