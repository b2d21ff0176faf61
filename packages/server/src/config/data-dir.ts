import path from 'node:path';

/**
 * Folders of each kind of file below the data directory. The database makes its own folder there.
 */
export interface DataDir {
  readonly root: string;
  /** Stored uploads and outputs, and files that are being written there. */
  readonly media: string;
  /** Converted models; may be deleted at any time, they are made again. */
  readonly models: string;
  /** The certificate and key of this installation's own making. */
  readonly signing: string;
  /** Mail that no SMTP server is configured for, one .eml file each. */
  readonly outbox: string;
  /** File with one line, the address at which this installation is reached. */
  readonly servedUrl: string;
}

export function dataDirLayout(root: string): DataDir {
  return {
    root,
    media: path.join(root, 'media'),
    models: path.join(root, 'models'),
    signing: path.join(root, 'signing'),
    outbox: path.join(root, 'outbox'),
    servedUrl: path.join(root, 'served-url'),
  };
}
