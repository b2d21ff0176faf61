/** The request's client went away: nobody reads an answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}
