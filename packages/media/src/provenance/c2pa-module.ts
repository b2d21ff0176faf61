import { readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

type C2pa = typeof import('@contentauth/c2pa-wasm');

/** WebAssembly counts memory in pages of 64 KiB. */
const PAGE_BYTES = 65_536;
/**
 * Enough for a file of 190 MiB, which c2pa-wasm reads into memory, part by part and twice, while it
 * hashes.
 */
const MAX_MEMORY_BYTES = 512 * 1024 * 1024;

/** A `WebAssembly.Module`, whose types come with browsers' only. */
export type CompiledC2pa = object;

let compiled: Promise<CompiledC2pa> | undefined;
let loaded: Promise<C2pa> | undefined;

/**
 * c2pa-wasm, the official C2PA implementation compiled to WebAssembly, ready to use. About 70 ms
 * and 40 MB the first time; a process that signs calls it while it warms up.
 * @param module one compiled elsewhere: threads share it
 */
export function loadC2pa(module?: CompiledC2pa): Promise<C2pa> {
  loaded ??= (async () => {
    const c2pa = await import('@contentauth/c2pa-wasm');
    installFileReader();
    c2pa.initSync({ module: module ?? (await compileC2pa()) });
    return c2pa;
  })().catch((error: unknown) => {
    // Too little memory for a moment, say: the next result is signed all the same.
    loaded = undefined;
    throw error;
  });
  return loaded;
}

interface WebAssemblyScope {
  WebAssembly: { compile(binary: Uint8Array): Promise<CompiledC2pa> };
}

/** The code of c2pa-wasm with a bound on its memory, compiled once a process. */
export function compileC2pa(): Promise<CompiledC2pa> {
  compiled ??= (async () => {
    const file = fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm'));
    const { WebAssembly } = globalThis as unknown as WebAssemblyScope;
    const published = await readFile(file);
    const bound = boundMemory(published, MAX_MEMORY_BYTES / PAGE_BYTES);
    // 9 MB each, which would wait for the garbage collector; compiling makes one more copy, which
    // stays.
    published.buffer.transfer(0);
    try {
      return await WebAssembly.compile(bound);
    } finally {
      bound.buffer.transfer(0);
    }
  })().catch((error: unknown) => {
    compiled = undefined;
    throw error;
  });
  return compiled;
}

/**
 * A copy of a WebAssembly binary whose only memory cannot grow beyond `maxPages`. The published one
 * may grow to 4 GiB, which a few hostile bytes could make it do; beyond the bound it fails instead.
 * Source: WebAssembly core specification 5.5.8, Memory Section.
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

/** Bytes that c2pa-wasm asks for piece by piece, as it would a browser's Blob. */
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

/** The bytes themselves, without the copy that a real Blob makes. */
export function blobOfBytes(bytes: Uint8Array): Blob {
  const read = (into: Uint8Array, from: number) => into.set(bytes.subarray(from, from + into.length));
  return new ByteSource(read, 0, bytes.length) as unknown as Blob;
}

/** A file's bytes, read when they are asked for; `fd` must stay open as long. */
export function blobOfFile(fd: number, sizeBytes: number): Blob {
  const read = (into: Uint8Array, from: number) => {
    if (readSync(fd, into, 0, into.length, from) < into.length)
      throw new Error('The file became shorter while it was read.');
  };
  return new ByteSource(read, 0, sizeBytes) as unknown as Blob;
}

/** c2pa-wasm reads through this class of browsers' workers, which Node does not have. */
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
