import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { MediaError } from '../media-error.ts';
import { loadNodeAv } from '../video/node-av.ts';
import { sniffContainer } from '../video/container.ts';
import { probeVideoIsolated } from './isolated.ts';
import { processVideo } from './process-video.ts';
import { makeClip } from '../video/test-clip.ts';

const fixtures =
  process.env['GUISE_FIXTURES'] ?? path.resolve(import.meta.dirname, '../../../../../shared/fixtures');
const hasFixtures = existsSync(path.join(fixtures, 'hostile'));
const av = await loadNodeAv();
const skip = av === null ? 'node-av is not installed' : false;

let folder = '';
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'guise-hostile-'));
});
after(() => rm(folder, { recursive: true, force: true }));

function isTimeout(error: unknown): boolean {
  return error instanceof MediaError && error.code === 'TIMEOUT';
}

describe('hostile video', { skip }, () => {
  /**
   * Expected error code of each file; null for a file that may be accepted and is then processed.
   */
  const expected: Record<string, string | null> = {
    'x14_gif_canvas_65535.gif': 'TOO_MANY_PIXELS',
    'x15_gif_50000_frames.gif': 'TOO_MANY_PIXELS',
    'x20_hls_playlist_named.mp4': 'UNSUPPORTED',
    'x21_hls_local_file_named.mp4': 'UNSUPPORTED',
    'x22_ffconcat_named.mp4': 'UNSUPPORTED',
    'x23_empty.mp4': 'UNREADABLE',
    'x24_random.mp4': 'UNSUPPORTED',
    'x25_talk_truncated_half.mp4': 'UNREADABLE',
    'x26_talk_bitflips.mp4': null,
    'x27_moov_first_truncated.mp4': null,
    'x28_8192x8192_2frames.mp4': 'TOO_MANY_PIXELS',
    'x29_ten_hours_16x16.mp4': 'TOO_LONG',
    'x30_60000_frames_1000fps.mp4': 'TOO_MANY_FRAMES',
    'x31_audio_only.mp4': 'NO_VIDEO',
  };
  for (const [name, code] of Object.entries(expected)) {
    it(
      `${name} ends in ${code ?? 'a result or a MediaError'}`,
      { skip: hasFixtures ? false : 'no fixtures' },
      async () => {
        const inputPath = path.join(fixtures, 'hostile', name);
        const refused = await probeVideoIsolated(inputPath).then(
          () => null,
          (error: unknown) => error,
        );
        if (code !== null) {
          assert.ok(refused instanceof MediaError, String(refused));
          assert.equal(refused.code, code);
        } else assert.equal(refused, null);
        // A caller that skips the probe gets no worse than an error either.
        const outputPath = path.join(folder, `${name}.out.mp4`);
        const container = name.endsWith('gif') ? 'gif' : 'mp4';
        const processed = await processVideo({ inputPath, outputPath, container }).then(
          (result) => result.frameCount > 0,
          (error: unknown) => error instanceof MediaError || Promise.reject(error),
        );
        assert.ok(processed);
        await rm(outputPath, { force: true });
        assert.deepEqual(await readdir(folder), []);
      },
    );
  }

  it('never follows what a file points to, whatever it looks like', async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.ts`;
    const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n${url}\n#EXT-X-ENDLIST\n`;
    // Also behind a head that passes the sniffing.
    const ftyp = Buffer.from('\0\0\0\x10ftypisom\0\0\0\0', 'latin1');
    for (const bytes of [Buffer.from(playlist), Buffer.concat([ftyp, Buffer.from(playlist)])]) {
      const inputPath = path.join(folder, 'playlist.mp4');
      await writeFile(inputPath, bytes);
      await assert.rejects(probeVideoIsolated(inputPath), MediaError);
      await assert.rejects(
        processVideo({ inputPath, outputPath: path.join(folder, 'o.mp4'), container: 'mp4' }),
        MediaError,
      );
      await rm(inputPath);
    }
    server.close();
    assert.equal(requests, 0);
  });

  it('ends a probe that takes too long, with its process', async () => {
    const inputPath = path.join(folder, 'slow.mp4');
    await makeClip(av!, inputPath, {
      container: 'mp4',
      width: 64,
      height: 64,
      ticks: [0, 1, 2],
      timeBase: { num: 1, den: 25 },
    });
    await assert.rejects(probeVideoIsolated(inputPath, { isolation: { timeoutMs: 1 } }), isTimeout);
    const stop = new AbortController();
    stop.abort();
    await assert.rejects(probeVideoIsolated(inputPath, { signal: stop.signal }), { name: 'AbortError' });
    assert.equal((await probeVideoIsolated(inputPath)).frameCount, 3);
    await rm(inputPath);
  });
});

describe('sniffContainer', () => {
  it('knows the containers by their content and nothing else', () => {
    const webm = Buffer.concat([
      Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
      Buffer.alloc(20),
    ]);
    assert.equal(sniffContainer(webm), 'webm');
    const matroska = Buffer.from('1a45dfa3a34286810142f7810142f2810442f381084282886d6174726f736b61', 'hex');
    assert.equal(sniffContainer(matroska), 'mkv');
    assert.equal(sniffContainer(Buffer.from('RIFF\0\0\0\0AVI LIST', 'latin1')), 'avi');
    assert.equal(sniffContainer(Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1')), null);
    for (const [bytes, syncAt] of [
      [188, 0],
      [192, 4],
    ] as const) {
      const stream = Buffer.alloc(4096);
      for (let at = syncAt; at < stream.length; at += bytes) stream[at] = 0x47;
      assert.equal(sniffContainer(stream), 'ts');
      assert.equal(sniffContainer(stream.subarray(0, 2 * bytes)), null);
      stream[syncAt + 7 * bytes] = 0;
      assert.equal(sniffContainer(stream), null);
    }
    assert.equal(sniffContainer(Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0', 'latin1')), 'mp4');
    for (const brand of ['heic', 'avif', 'msf1']) {
      assert.equal(sniffContainer(Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1miaf`, 'latin1')), null);
    }
    assert.equal(sniffContainer(Buffer.from('\0\0\0\x14ftypqt  \0\0\0\0', 'latin1')), 'mov');
    assert.equal(sniffContainer(Buffer.from('GIF89a\x01\0\x01\0\0\0\0', 'latin1')), 'gif');
    assert.equal(sniffContainer(Buffer.from('#EXTM3U\n#EXT-X-VERSION:3\n')), null);
    assert.equal(sniffContainer(Buffer.alloc(0)), null);
  });
});
