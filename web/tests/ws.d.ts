// What the tests use of the package ws.
declare module 'ws' {
  export class WebSocket {
    constructor(address: string)
    on(event: 'message', told: (text: Buffer) => void): this
    once(event: 'open', told: () => void): this
    once(event: 'error', told: (e: Error) => void): this
    send(text: string): void
    terminate(): void
  }
}
