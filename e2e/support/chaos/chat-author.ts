import { setTimeout as sleep } from 'node:timers/promises'
import { ControlFailure } from '@lectern/control-client'
import type { ChatMessage } from '@lectern/protocol/control/client'
import type { Member } from '../members.ts'
import { Flow } from './flow.ts'

const PAUSE_MS = 250

/** A member that sends numbered messages, each after the answer to the one before. */
export class ChatAuthor {
  readonly flow: Flow
  readonly member: Member
  readonly #name: string
  readonly #acknowledged: string[] = []
  readonly #refused = new Set<string>()
  #isOver = false
  #sending: Promise<void> | null = null

  constructor(name: string, member: Member) {
    this.#name = name
    this.member = member
    this.flow = new Flow(`chat of ${name}`)
  }

  start(): void {
    this.#sending = this.#send()
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#sending
  }

  get count(): number {
    return this.#acknowledged.length
  }

  /** What is wrong with the messages of this author in the whole history of the session. */
  mistakes(history: ChatMessage[]): string[] {
    const own = history.map(({ text }) => text).filter(text => text.startsWith(`${this.#name} `))
    const numbers = own.map(text => Number(text.slice(this.#name.length + 1)))
    const unknown = own.filter(text => !this.#acknowledged.includes(text) && !this.#refused.has(text))
    return [
      ...this.#acknowledged.filter(text => !own.includes(text)).map(text => `${text} is lost`),
      ...own.filter((text, index) => own.indexOf(text) !== index).map(text => `${text} is there twice`),
      ...unknown.map(text => `${text} was never answered`),
      ...(numbers.every((number, index) => index === 0 || number > (numbers[index - 1] as number))
        ? []
        : [`the messages of ${this.#name} are out of order: ${numbers.join(' ')}`]),
    ]
  }

  async #send(): Promise<void> {
    for (let step = 1; !this.#isOver; step++) {
      const text = `${this.#name} ${step}`
      try {
        await this.member.sendChat(text)
        this.#acknowledged.push(text)
        this.flow.mark()
      } catch (error) {
        if (!(error instanceof ControlFailure)) throw error
        this.#refused.add(text) // it may have been stored, but was not acknowledged
      }
      await sleep(PAUSE_MS)
    }
  }
}
