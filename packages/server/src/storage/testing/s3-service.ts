import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { CreateBucketCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { S3Config } from '../../config/config.ts';
import { isSwiftInstalled, startSwift } from './swift.ts';

/** false, or the reason why tests that need a store are skipped. */
export const skipWithoutS3: string | false = isSwiftInstalled()
  ? false
  : 'no store that speaks S3 on this machine (Debian: swift-proxy, swift-account, swift-container, swift-object)';

/** A store with an empty bucket for one test file, which can be told to fail. */
export interface S3Service {
  readonly config: S3Config;
  /** Returns the objects in the bucket, by key. */
  readonly objects: () => Promise<ReadonlyMap<string, Buffer>>;
  /** Returns the number of requests received. */
  readonly asked: () => number;
  /** Returns the number of successful GET requests. */
  readonly gave: () => number;
  /** Answers the next requests with these statuses, in this order. */
  readonly answerNext: (...statuses: number[]) => void;
  /** Answers the next request with this status and body. */
  readonly answerNextWith: (status: number, body: string) => void;
  stop(): Promise<void>;
}

export async function startS3Service(): Promise<S3Service> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'guise-s3-'));
  const swift = await startSwift(path.join(root, 'swift'));
  const { endpoint, region, bucket, credentials } = swift.config;
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials: credentials! });
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
  } catch (error) {
    await swift.stop();
    throw error;
  }
  const gate = await openGate(endpoint);
  return {
    config: { ...swift.config, endpoint: gate.url },
    async objects() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
      const read = Contents.map(async ({ Key }): Promise<[string, Buffer]> => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: Key! }));
        return [Key!, await buffer(Body as http.IncomingMessage)];
      });
      return new Map(await Promise.all(read));
    },
    asked: gate.asked,
    gave: gate.gave,
    answerNext: gate.answerNext,
    answerNextWith: gate.answerNextWith,
    async stop() {
      client.destroy();
      await gate.close();
      await swift.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** HTTP server in front of a store that can answer with errors in its place. */
interface Gate {
  readonly url: string;
  /** Returns the number of requests received. */
  readonly asked: () => number;
  /** Returns the number of successful GET requests. */
  readonly gave: () => number;
  /** Answers the next requests with these statuses, in this order. */
  readonly answerNext: (...statuses: number[]) => void;
  /** Answers the next request with this status and body. */
  readonly answerNextWith: (status: number, body: string) => void;
  close(): Promise<void>;
}

async function openGate(endpoint: string): Promise<Gate> {
  const answers: { readonly status: number; readonly body: string }[] = [];
  let asked = 0;
  let gave = 0;
  const server = http.createServer((request, response) => {
    asked += 1;
    const answer = answers.shift();
    if (answer !== undefined) {
      request.resume().once('end', () => response.writeHead(answer.status).end(answer.body));
      return;
    }
    const { method, url, headers } = request;
    const passed = http.request(endpoint, { method, path: url, headers }, (answer) => {
      if (method === 'GET' && answer.statusCode! < 300) gave += 1;
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    passed.once('error', () => response.destroy());
    request.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    gave: () => gave,
    answerNext(...statuses) {
      for (const status of statuses) {
        answers.push({ status, body: status < 300 ? '' : `<Error><Code>Status${status}</Code></Error>` });
      }
    },
    answerNextWith: (status, body) => void answers.push({ status, body }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
