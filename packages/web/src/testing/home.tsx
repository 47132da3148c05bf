import type { AccountView } from '@lectern/control-client'
import { expect } from 'vitest'
import type { Locator } from 'vitest/browser'
import { App } from '../App.tsx'
import { AccountLayer } from '../account-connection/AccountLayer.tsx'
import { SignedIn } from '../account-connection/signed-in.ts'
import { createTestConnection } from '../account-connection/testing.ts'
import { InviteToRoom } from '../calls/InviteToRoom.tsx'
import { aView } from '../home/messaging/testing.ts'
import { Account } from '../identity/account.ts'
import { startPush } from '../push/start-push.ts'
import { type Route, Router } from '../site/router.ts'
import { useSite } from '../site/use-site.ts'
import { StoredValue } from '../stored-value.ts'
import { FakeApi, ok } from './fake-api.ts'
import { type RenderOptions, render } from './render.tsx'

interface PagesOptions extends RenderOptions {
  /** Answers of the HTTP API. */
  routes?: FakeApi['routes']
}

interface HomeOptions extends PagesOptions {
  view?: Partial<AccountView>
  capabilities?: 'admin'[]
  /** Answers of the control channel to the commands of the page. */
  commands?: Control['handlers']
}

interface RenderedPage {
  api: FakeApi
  account: Account
  route: Router
  unmount: () => Promise<void>
}

type Control = ReturnType<typeof createTestConnection>['control']

interface RenderedHome extends RenderedPage {
  control: Control
  /** Changes parts of the state of the account. */
  setView: (parts: Partial<AccountView>) => void
}

const ANNA = { user_id: 7, login: 'anna', display_name: 'Anna', kind: 'ordinary', capabilities: [] }
const TOKENS = { access_token: 'a', refresh_token: 'r', expires_in: 3_600 }

function CurrentPage({ route }: { route: Router }) {
  return <App site={useSite()} route={route} />
}

/** Navigates within the test, whose own address stays as it is. */
function createTestRouter(path: string): Router {
  const location = { pathname: path }
  const goTo = (_state: unknown, _title: string, to: string) => {
    location.pathname = to
  }
  const history = { pushState: goTo, replaceState: goTo }
  const open = (address: { is: string }) =>
    (['home', 'invite'].includes(address.is) ? address : { is: 'not-found' }) as Route
  return new Router({ addEventListener: () => {}, history, location } as never, open as never)
}

const storeIn = (name: string) => new StoredValue(`lectern.${name}`, () => localStorage)

function partsOf({ routes = {} }: PagesOptions, path: string) {
  const api = new FakeApi({ 'GET /api/v1.0/server_info': () => ok({}), ...routes })
  const account = new Account({ api, storage: storeIn('account'), runExclusive: async work => work() })
  const route = createTestRouter(path)
  return { api, account, route, site: { api, account, go: route.go, replace: route.replace } }
}

/** Focuses an element, once it is there, as Tab does. */
export async function focus(locator: Locator): Promise<void> {
  await expect.element(locator).toBeVisible()
  locator.element().focus()
}

/** A page of somebody who is not signed in. */
export async function renderPage(path: string, options: PagesOptions = {}): Promise<RenderedPage> {
  const { api, account, route, site } = partsOf(options, path)
  const { unmount } = await render(<CurrentPage route={route} />, { ...options, site })
  return { unmount, api, account, route }
}

/** A page of Anna, user 7, who is signed in, on a fake server and a fake control channel. */
export async function renderHome(path: string, options: HomeOptions = {}): Promise<RenderedHome> {
  const { api, account, route, site } = partsOf(options, path)
  const { control, connection } = createTestConnection()
  control.handlers = {
    'conversation.list': () => ({ conversations: [], next: null }),
    'call.list': () => ({ calls: [], has_more: false }),
    ...options.commands,
  }
  const setView = (parts: Partial<AccountView>) =>
    control.view.set({ ...aView(), ...control.view.get(), ...parts })
  setView(options.view ?? {})
  const signedIn = new SignedIn({
    account,
    load: async () => ({
      openAccountConnection: () => {
        startPush(connection, account, api)
        connection.open()
        control.ready(options.capabilities)
        return connection
      },
      AccountLayer,
      InviteToRoom,
    }),
  })
  signedIn.setWanted(true)
  api.routes = { ...api.routes, 'POST /api/v1.0/auth/login': () => ok({ ...TOKENS, user: ANNA }) }
  await account.signIn('anna', 'password')
  const { unmount } = await render(<CurrentPage route={route} />, { ...options, site: { ...site, signedIn } })
  return { unmount, api, account, route, control, setView }
}
