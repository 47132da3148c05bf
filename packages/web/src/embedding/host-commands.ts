import type { Readable } from '@lectern/common'
import type { Command, CommandError } from '@lectern/embed/messages'
import { permissionsOf } from '../call/own-permissions.ts'
import type { InputKind } from '../devices/port.ts'
import type { Language } from '../preferences/language.ts'
import type { Theme } from '../preferences/theme.ts'
import type { Room } from '../room/room.ts'
import type { Route } from '../site/router.ts'
import { LANGUAGES, type LanguageName } from '../texts/languages.ts'
import type { Consent } from './consent.ts'

interface Options {
  route: Readable<Route>
  theme: Pick<Theme, 'choose'>
  language: Pick<Language, 'choose'>
  consent: Consent
}

/**
 * Carries out the commands of the embedding page: what the person could do with a click, and nothing else. What turns a
 * device on is decided by the person, in a dialog of this page.
 */
export class HostCommands {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** `origin` is the embedding page. Resolves with the reason if the command has no effect. Never rejects. */
  readonly execute = async (command: Command, origin: string): Promise<CommandError | null> => {
    switch (command.name) {
      case 'set_microphone':
        return command.on ? this.#turnOn('microphone', origin) : this.#turnOff('microphone')
      case 'set_camera':
        return command.on ? this.#turnOn('camera', origin) : this.#turnOff('camera')
      case 'leave':
        return this.#leave()
      case 'open_chat':
        return this.#openChat()
      case 'set_theme':
        this.#options.theme.choose(command.theme)
        return null
      case 'set_language':
        return this.#setLanguage(command.language)
    }
  }

  async #turnOn(kind: InputKind, origin: string): Promise<CommandError | null> {
    const refused = this.#refusal(kind)
    if (refused) return refused
    if (this.#isOn(kind)) return null
    const answer = await this.#options.consent.ask({ kind, host: new URL(origin).host })
    if (answer !== 'accepted') return answer
    // Meanwhile the person may have left, or a moderator may have forbidden it.
    const refusedNow = this.#refusal(kind)
    if (refusedNow) return refusedNow
    if (!this.#isOn(kind)) await this.#visit?.devices[kind].turnOn()
    return this.#isOn(kind) ? null : 'not_permitted'
  }

  /** Why the person themselves could not turn it on now. */
  #refusal(kind: InputKind): CommandError | null {
    const call = this.#room?.call.get()
    if (call?.is !== 'joined') return 'not_joined'
    return permissionsOf(call.session, call.me)[kind] ? null : 'not_permitted'
  }

  #isOn(kind: InputKind): boolean {
    return this.#visit?.devices[kind].get().is === 'on'
  }

  /** Also before joining. */
  #turnOff(kind: InputKind): CommandError | null {
    const visit = this.#visit
    if (!visit) return 'not_joined'
    if (visit.devices[kind].get().is !== 'off') visit.devices[kind].turnOff()
    return null
  }

  #leave(): CommandError | null {
    const room = this.#room
    if (!room || room.call.get().is === 'ended') return 'not_joined'
    room.leave()
    return null
  }

  #openChat(): CommandError | null {
    const room = this.#room
    if (room?.call.get().is !== 'joined') return 'not_joined'
    if (!room.features.chat) return 'unavailable'
    if (room.panels.get() !== 'chat') room.panels.toggle('chat')
    return null
  }

  async #setLanguage(name: string): Promise<CommandError | null> {
    if (!Object.hasOwn(LANGUAGES, name)) return 'unknown_language'
    // The language of the account is the person's own choice.
    await this.#options.language.choose(name as LanguageName, { isOwnChoice: false })
    return null
  }

  get #visit() {
    const here = this.#options.route.get()
    return here.is === 'visit' ? here.visit : null
  }

  get #room(): Room | null {
    const state = this.#visit?.get()
    return state?.is === 'room' ? state.room : null
  }
}
