/** Error for a request whose client has disconnected. Nobody would read an answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}
