/** Problem is a call that did not give what was asked for, told for people. */
export class Problem extends Error {
  /** The status of the answer; 0 when there was none. */
  readonly status: number
  /** The interface's short code; "Offline" when there was no answer. */
  readonly code: string
  /** Seconds after which it is worth trying again, if the server says so. */
  readonly retryAfter: number | null
  /** By which the operator finds the call in the log. */
  readonly requestId: string | null

  constructor(
    status: number,
    code: string,
    message: string,
    retryAfter: number | null = null,
    requestId: string | null = null,
  ) {
    super(message)
    this.name = 'Problem'
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
    this.requestId = requestId
  }

  /** passing says whether the same call may well succeed later. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 502 || this.status === 503 || this.status === 504
  }

  /** of makes a problem of whatever was thrown. */
  static of(thrown: unknown): Problem {
    if (thrown instanceof Problem) return thrown
    return new Problem(-1, 'Fault', thrown instanceof Error ? thrown.message : String(thrown))
  }

  /** ofAnswer reads what the server says is wrong. */
  static async ofAnswer(answer: Response): Promise<Problem> {
    let code = answer.statusText || 'Error'
    let message = `The server answered with ${answer.status}.`
    try {
      const body = (await answer.json()) as { error?: unknown; message?: unknown; messages?: unknown }
      if (typeof body.error === 'string') code = body.error
      if (typeof body.message === 'string') message = body.message
      if (typeof body.messages === 'string') message = body.messages
    } catch {
      // Something between here and the server has answered in words of its own.
    }
    const after = Number(answer.headers.get('Retry-After'))
    return new Problem(answer.status, code, message, after > 0 ? after : null, answer.headers.get('X-Request-Id'))
  }

  /** offline is that there was no answer. */
  static offline(): Problem {
    return new Problem(0, 'Offline', 'The server cannot be reached. Check the connection; it is tried again.')
  }
}
