import { KinebaseError } from 'kinebase/error'

/** Problem is a call that did not give what was asked for, told for people. Without an answer its code is "Offline". */
export class Problem extends KinebaseError {
  constructor(status: number, code: string, message: string, retryAfter: number | null = null, requestId = '') {
    super(status, code, message, '', requestId, { retryAfter })
  }

  /** from makes a problem of whatever was thrown. */
  static from(thrown: unknown): Problem {
    if (thrown instanceof Problem) return thrown
    return new Problem(-1, 'Fault', thrown instanceof Error ? thrown.message : String(thrown))
  }

  /** ofAnswer reads what the server says is wrong. */
  static async ofAnswer(answer: Response): Promise<Problem> {
    const e = await KinebaseError.of(answer)
    const code = e.code || answer.statusText || 'Error'
    return new Problem(e.status, code, e.messages || e.message, e.retryAfter, e.requestId)
  }

  /** offline is that there was no answer. */
  static offline(): Problem {
    return new Problem(0, 'Offline', 'The server cannot be reached. Check the connection; it is tried again.')
  }
}
