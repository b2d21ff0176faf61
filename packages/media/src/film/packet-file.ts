import { type FileHandle, open } from 'node:fs/promises';

/** One packet of a segment's pictures. */
export interface StoredPacket {
  /** Time stamp in ticks since the film's first picture. */
  readonly tick: number;
  /** Duration of the picture in ticks; 0 if it is unknown. */
  readonly duration: number;
  readonly isKey: boolean;
  readonly sizeBytes: number;
  /** Bytes of the alpha layer, which follow the bytes of the packet. */
  readonly alphaBytes: number;
}

/** Content of the end of a packet file. */
interface PacketIndex {
  readonly version: 1;
  /**
   * SHA-256 of the encoder's header, lower-case hex. Segments can be joined if theirs are equal.
   */
  readonly encoder: string;
  /** Packets in decoding order: tick, duration, key (0 or 1), bytes, bytes of the alpha layer. */
  readonly packets: readonly (readonly [number, number, number, number, number])[];
}

/** Number of bytes at the very end that hold the index's length. */
const LENGTH_BYTES = 4;
/** Largest size of an index. A segment has some thousand packets. */
const MAX_INDEX_BYTES = 16 * 1024 * 1024;
/** Largest size of a packet, far above that of any picture within the limits. */
const MAX_PACKET_BYTES = 256 * 1024 * 1024;

/** Writes the packets of a segment: first their bytes, then an index. */
export class PacketWriter {
  readonly #file: FileHandle;
  readonly #packets: PacketIndex['packets'][number][] = [];
  #writing = Promise.resolve();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(filePath: string): Promise<PacketWriter> {
    return new PacketWriter(await open(filePath, 'wx'));
  }

  /** Adds a packet and copies its bytes. */
  add(packet: Omit<StoredPacket, 'sizeBytes' | 'alphaBytes'>, data: Uint8Array, alpha: Uint8Array): void {
    const bytes = Buffer.concat([data, alpha]);
    this.#packets.push([packet.tick, packet.duration, Number(packet.isKey), data.length, alpha.length]);
    this.#writing = this.#writing.then(() => this.#file.appendFile(bytes));
    // `finish` reports the error.
    this.#writing.catch(() => undefined);
  }

  /** Waits until all added packets are written, so that memory holds no more than these. */
  async drain(): Promise<void> {
    await this.#writing;
  }

  /** Writes the index and flushes the file. @param encoder see `PacketIndex.encoder` */
  async finish(encoder: string): Promise<void> {
    await this.#writing;
    const index: PacketIndex = { version: 1, encoder, packets: this.#packets };
    const json = Buffer.from(JSON.stringify(index));
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(json.length);
    await this.#file.appendFile(Buffer.concat([json, length]));
    await this.#file.sync();
  }

  async close(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#file.close();
  }
}

/** Reads a packet file. An attacker may control the machine that wrote the file. */
export class PacketReader {
  readonly encoder: string;
  /** Packets in decoding order. */
  readonly packets: readonly StoredPacket[];
  readonly #file: FileHandle;
  #offset = 0;
  #next = 0;

  private constructor(file: FileHandle, encoder: string, packets: readonly StoredPacket[]) {
    this.#file = file;
    this.encoder = encoder;
    this.packets = packets;
  }

  /**
   * Opens a file and checks its index.
   * @throws Error if `PacketWriter` did not write the file
   */
  static async open(filePath: string, maxPackets: number): Promise<PacketReader> {
    const file = await open(filePath, 'r');
    try {
      const { size } = await file.stat();
      const indexBytes = (await readAt(file, size - LENGTH_BYTES, LENGTH_BYTES)).readUInt32BE();
      const bodyBytes = size - LENGTH_BYTES - indexBytes;
      if (indexBytes > MAX_INDEX_BYTES || bodyBytes < 0) throw new Error('A packet file has no index.');
      const json = (await readAt(file, bodyBytes, indexBytes)).toString('utf8');
      const { encoder, packets } = checkIndex(JSON.parse(json), maxPackets);
      const sum = packets.reduce((bytes, packet) => bytes + packet.sizeBytes + packet.alphaBytes, 0);
      if (sum !== bodyBytes) throw new Error("A packet file's index does not fit it.");
      return new PacketReader(file, encoder, packets);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Reads the next packet with its bytes. Returns null after the last packet. */
  async read(): Promise<{ packet: StoredPacket; data: Buffer; alpha: Buffer } | null> {
    const packet = this.packets[this.#next];
    if (packet === undefined) return null;
    const { sizeBytes, alphaBytes } = packet;
    const bytes = await readAt(this.#file, this.#offset, sizeBytes + alphaBytes);
    this.#next += 1;
    this.#offset += sizeBytes + alphaBytes;
    return { packet, data: bytes.subarray(0, sizeBytes), alpha: bytes.subarray(sizeBytes) };
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  if (position < 0) throw new Error('A packet file is too short.');
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, position + done);
    if (bytesRead === 0) throw new Error('A packet file is too short.');
    done += bytesRead;
  }
  return buffer;
}

function checkIndex(
  index: unknown,
  maxPackets: number,
): { encoder: string; packets: readonly StoredPacket[] } {
  const { version, encoder, packets } = (index ?? {}) as Partial<PacketIndex>;
  if (version !== 1 || typeof encoder !== 'string' || !Array.isArray(packets) || packets.length > maxPackets)
    throw new Error('The index of a packet file is damaged.');
  return { encoder, packets: packets.map(checkPacket) };
}

function checkPacket(packet: unknown): StoredPacket {
  const numbers = Array.isArray(packet) ? (packet as unknown[]) : [];
  if (
    numbers.length !== 5 ||
    !numbers.every((value) => Number.isSafeInteger(value) && (value as number) >= 0)
  )
    throw new Error("A packet file's index is damaged.");
  const [tick, duration, key, sizeBytes, alphaBytes] = numbers as [number, number, number, number, number];
  if (sizeBytes + alphaBytes > MAX_PACKET_BYTES) throw new Error('A packet is too large.');
  return { tick, duration, isKey: key === 1, sizeBytes, alphaBytes };
}
