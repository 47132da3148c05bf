import { PartnerClient } from '@lectern/partner'
import type { Ticket } from '../control/member.ts'
import type { Service } from './lectern.ts'

/** Creates guests for unused rooms. */
export class Guests {
  readonly #service: Pick<Service, 'url' | 'account'>
  readonly #partner: PartnerClient
  #rooms = 0

  constructor(service: Pick<Service, 'url' | 'account'>) {
    this.#service = service
    this.#partner = new PartnerClient({ baseUrl: service.url, ...service.account })
  }

  /** The tickets of a room are adjacent. */
  async invite(count: number, roomSize: number): Promise<Ticket[]> {
    const tickets: Ticket[] = []
    let tag = ''
    for (let i = 0; i < count; i++) {
      if (i % roomSize === 0) tag = (await this.#partner.createRoom(`room-${++this.#rooms}`)).tag
      tickets.push({ tag, token: await this.register(`Guest ${i}`) })
    }
    return tickets
  }

  /** The access token of a new guest. */
  async register(display_name: string): Promise<string> {
    const answer = await fetch(`${this.#service.url}/api/v1.0/auth/guest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ display_name }),
    })
    return ((await answer.json()) as { access_token: string }).access_token
  }
}
