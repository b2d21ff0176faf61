import path from 'node:path';

/** Folders in the data directory, by kind of file. The database makes its own folder there. */
export interface DataDir {
  readonly root: string;
  /** Stored uploads and outputs, and temporary files. */
  readonly media: string;
  /** Converted models. They may be deleted at any time and are then made again. */
  readonly models: string;
  /** Networks that the operator has added. */
  readonly networks: string;
  /** The certificate and key that this installation has made. */
  readonly signing: string;
  /** Mails that were not sent because no SMTP server is configured, as .eml files. */
  readonly outbox: string;
  /** File with one line: the URL at which this installation is reached. */
  readonly servedUrl: string;
}

export function dataDirLayout(root: string): DataDir {
  return {
    root,
    media: path.join(root, 'media'),
    models: path.join(root, 'models'),
    networks: path.join(root, 'networks'),
    signing: path.join(root, 'signing'),
    outbox: path.join(root, 'outbox'),
    servedUrl: path.join(root, 'served-url'),
  };
}
