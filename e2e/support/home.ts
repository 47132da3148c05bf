import { ControlClient, platformEnvironment } from '@lectern/control-client'
import { directChat } from '@lectern/protocol/control/client'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterEach } from 'vitest'
import { WebSocket } from 'ws'
import { type Credentials, fillSignIn, signInAs } from './accounts.ts'
import type { OpenTab } from './browser.ts'
import type { Lectern } from './lectern.ts'
import type { Account } from './members.ts'

/** The pages of a signed-in user in a browser. */
export class Home {
  readonly page: Page

  private constructor(page: Page) {
    this.page = page
  }

  /** Signs in on a page of its own profile, as on another device. */
  static async open(open: OpenTab, url: string, person: Credentials, options?: BrowserContextOptions) {
    const { page } = await open(url, options)
    await fillSignIn(page, person)
    await page.getByRole('navigation').waitFor()
    return new Home(page)
  }

  /** Opens a page of the navigation by its visible name. */
  goTo = async (name: string): Promise<void> => {
    await this.page.getByRole('navigation').getByRole('link', { name }).click()
  }

  /** The row of a conversation in the list; rows of others may name the author of their last message. */
  row = (name: string): Locator =>
    this.page
      .getByRole('listitem')
      .filter({ has: this.page.getByRole('link', { name: new RegExp(`^${name}`) }) })

  openChat = async (name: string): Promise<void> => {
    await this.row(name).getByRole('link').first().click()
    await this.page.getByRole('heading', { name, exact: true }).waitFor() // until then the former chat is shown
    await this.field.waitFor()
  }

  get field(): Locator {
    return this.page.getByRole('textbox', { name: 'Write a message' })
  }

  /** Uploads a file for the next message. */
  attach = async (file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> => {
    await this.page.locator('[data-chat-files]').setInputFiles(file)
    await this.page.getByRole('button', { name: `Remove ${file.name}` }).waitFor()
  }

  write = async (text: string): Promise<void> => {
    await this.field.fill(text)
    await this.field.press('Enter')
    await this.message(text).waitFor()
  }

  message = (text: string): Locator =>
    this.page.getByRole('region', { name: 'Messages' }).locator('[data-message]').filter({ hasText: text })

  /** The number of unread conversations as everybody sees it: in the title of the tab. */
  unreadInTitle = async (): Promise<number> => Number(/^\((\d+)\) /.exec(await this.page.title())?.[1] ?? 0)
}

/** Sends commands of accounts without a browser. */
export function useCommands(lectern: Lectern) {
  const clients: ControlClient[] = []
  afterEach(() => {
    for (const client of clients.splice(0)) client.close()
  })
  return async (person: Credentials) => {
    const account: Account = await signInAs(lectern, person)
    const client = new ControlClient(platformEnvironment(WebSocket), {
      url: `${lectern.url.replace('http', 'ws')}/api/v1.0/control`,
      accessToken: async refused => (refused ? null : account.access_token),
      client: { name: 'story', version: '1.0.0', platform: 'node' },
    })
    clients.push(client)
    client.open()
    const self = { kind: 'account', id: String(account.user_id) } as const
    return {
      userId: account.user_id,
      account,
      client,
      addContact: (login: string) => client.command('contact.add', self, { login }),
      send: (otherId: number, text: string) =>
        client.command('message.send', { kind: 'chat', id: directChat(account.user_id, otherId) }, { text }),
    }
  }
}
