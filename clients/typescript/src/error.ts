/** KinebaseError is a call that the server did not answer as it was asked to. */
export class KinebaseError extends Error {
  override readonly name = 'KinebaseError'

  constructor(
    /** The HTTP status; 0 when there was no answer. */
    readonly status: number,
    /** A word such as NotFound; "" when something between answered in the server's place. */
    readonly code: string,
    message: string,
    /** Every problem of a refused body, joined with "; ". */
    readonly messages: string,
    /** By which the request is found in the server's log. */
    readonly requestId: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }

  /** Reads the error of an answer. */
  static async of(answer: Response): Promise<KinebaseError> {
    const body: { error?: unknown; message?: unknown; messages?: unknown } = await answer.json().catch(() => ({}))
    const text = (v: unknown) => (typeof v === 'string' ? v : '')
    const id = answer.headers.get('X-Request-Id') ?? ''
    const message = text(body.message) || text(body.messages) || `the server answered ${answer.status}`
    return new KinebaseError(answer.status, text(body.error), message, text(body.messages), id)
  }
}
