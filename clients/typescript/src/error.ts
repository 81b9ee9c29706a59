/** The statuses of calls that may well succeed later; 0 is a call without an answer. */
const passing = [0, 429, 502, 503, 504]

/** KinebaseError is a call that the server did not answer as it was asked to. */
export class KinebaseError extends Error {
  override readonly name: string = 'KinebaseError'
  /** Seconds after which it is worth trying again, if the server says so. */
  readonly retryAfter: number | null

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
    options: ErrorOptions & { retryAfter?: number | null } = {},
  ) {
    super(message, options)
    this.retryAfter = options.retryAfter ?? null
  }

  /** Whether the same call may well succeed later. */
  get passing(): boolean {
    return passing.includes(this.status)
  }

  /** Reads the error of an answer. */
  static async of(answer: Response): Promise<KinebaseError> {
    const body: { error?: unknown; message?: unknown; messages?: unknown } = await answer.json().catch(() => ({}))
    const text = (v: unknown) => (typeof v === 'string' ? v : '')
    const id = answer.headers.get('X-Request-Id') ?? ''
    const after = Number(answer.headers.get('Retry-After'))
    const message = text(body.message) || text(body.messages) || `The server answered with ${answer.status}.`
    return new KinebaseError(answer.status, text(body.error), message, text(body.messages), id, {
      retryAfter: after > 0 ? after : null,
    })
  }
}
