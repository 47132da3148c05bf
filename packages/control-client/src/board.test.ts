import { Emitter } from '@lectern/common'
import { expect, it } from 'vitest'
import { WatchedPage, type WatchingClient } from './board.ts'
import { ControlFailure } from './failure.ts'
import { settle } from './testing/clock.ts'

/** A client whose commands end when the test wants it. */
function createClient() {
  const commands: { name: string; resolve: (data: object) => void; reject: (error: Error) => void }[] = []
  const forgotten: string[] = []
  const client = {
    command: (name: string) =>
      new Promise((resolve, reject) => void commands.push({ name, resolve, reject })),
    forgetStream: (id: string) => void forgotten.push(id),
    onEvent: new Emitter().on,
    onSnapshot: new Emitter().on,
    onStreamRemoved: new Emitter().on,
  } as unknown as WatchingClient
  return { client, commands, forgotten, names: () => commands.map(({ name }) => name) }
}

it('C32: a page that is closed while it opens is unwatched after that, and then watched again', async () => {
  const { client, commands, forgotten, names } = createClient()
  const page = new WatchedPage(client, '42', 'page0001')
  await settle()
  page.close()
  const again = new WatchedPage(client, '42', 'page0001')
  await settle()
  expect(names()).toEqual(['board.watch'])
  commands[0]?.resolve({})
  await settle()
  expect(names()).toEqual(['board.watch', 'board.unwatch'])
  commands[1]?.resolve({})
  await settle()
  expect(names()).toEqual(['board.watch', 'board.unwatch', 'board.watch'])
  expect(forgotten).toEqual([again.streamId])
})

it('C32: a page that is closed while it opens is not requested again', async () => {
  const { client, commands, names } = createClient()
  const page = new WatchedPage(client, '42', 'page0001')
  await settle()
  page.close()
  commands[0]?.reject(new ControlFailure('temporarily_unavailable'))
  await settle()
  expect(names()).toEqual(['board.watch', 'board.unwatch'])
})
