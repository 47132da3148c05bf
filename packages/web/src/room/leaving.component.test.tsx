import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderRoom } from '../testing/room.tsx'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Counts what is open from now on, in place of the browser, which does not say. */
function countOpen() {
  const open = { listeners: 0, intervals: 0, urls: 0, contexts: 0 }
  const replace = (target: object, parts: object) => {
    const before = Object.fromEntries(
      Object.keys(parts).map(key => [key, Object.getOwnPropertyDescriptor(target, key)]),
    )
    Object.assign(target, parts)
    ends.push(() => {
      for (const [key, descriptor] of Object.entries(before))
        if (descriptor) Object.defineProperty(target, key, descriptor)
        else Reflect.deleteProperty(target, key)
    })
  }
  for (const target of [window, document, navigator.mediaDevices]) {
    const { addEventListener: add, removeEventListener: remove } = target
    const known = new Set<string>()
    const ids = new Map<unknown, number>()
    const keyOf = (type: string, listener: unknown) => {
      if (!ids.has(listener)) ids.set(listener, ids.size)
      return `${type} ${ids.get(listener)}`
    }
    const forget = (key: string) => {
      if (known.delete(key)) open.listeners--
    }
    replace(target, {
      addEventListener(type: string, listener: EventListener, options?: AddEventListenerOptions) {
        const key = keyOf(type, listener)
        if (!known.has(key)) open.listeners++
        known.add(key)
        options?.signal?.addEventListener('abort', () => forget(key))
        add.call(target, type, listener, options)
      },
      removeEventListener(type: string, listener: EventListener, options?: EventListenerOptions) {
        forget(keyOf(type, listener))
        remove.call(target, type, listener, options)
      },
    })
  }
  const { setInterval: start, clearInterval: stop, AudioContext: Context } = window
  const intervals = new Set<number>()
  const count = () => {
    open.intervals = intervals.size
  }
  replace(window, {
    setInterval(...parameters: Parameters<typeof start>) {
      const id = start(...parameters)
      intervals.add(id)
      count()
      return id
    },
    clearInterval(id: number) {
      intervals.delete(id)
      count()
      stop(id)
    },
    AudioContext: class extends Context {
      constructor(options?: AudioContextOptions) {
        super(options)
        open.contexts++
      }
      override close() {
        open.contexts--
        return super.close()
      }
    },
  })
  const { createObjectURL, revokeObjectURL } = URL
  replace(URL, {
    createObjectURL(source: Blob) {
      open.urls++
      return createObjectURL.call(URL, source)
    },
    revokeObjectURL(url: string) {
      open.urls--
      revokeObjectURL.call(URL, url)
    },
  })
  return open
}

it('leaves nothing open behind, however often it is entered', async () => {
  const visit = async () => {
    const { room, call, devices, offer, unmount } = await renderRoom({ isModerator: true })
    await devices.start()
    await offer('mia')
    await offer('mia', 'microphone')
    await call.local.screenShare.start()
    for (const panel of ['people', 'chat'] as const) {
      room.panels.show(panel)
      await expect.element(page.getByRole('tabpanel')).toBeVisible()
    }
    room.dialogs.show('audio')
    await expect.element(page.getByRole('dialog')).toBeVisible()
    const [camera, microphone] = [devices.camera.get(), devices.microphone.get()]
    const sent = [camera, microphone, { is: 'on', ...call.local.screenShare.get() }]
    const tracks = sent.map(each => (each.is === 'on' && 'track' in each ? each.track : null))
    const inside = { ...counted }
    room.leave()
    await expect.element(page.getByRole('heading', { name: 'left' })).toBeVisible()
    await unmount()
    expect(tracks.map(track => track?.readyState)).toEqual(['ended', 'ended', 'ended'])
    expect(document.querySelector('audio, video, dialog')).toBeNull()
    return inside
  }
  let counted = { listeners: 0, intervals: 0, urls: 0, contexts: 0 }
  // A page that was needed once stays.
  await visit()
  counted = countOpen()
  const inside = await visit()
  expect(inside.listeners).toBeGreaterThan(5)
  expect(inside.intervals).toBeGreaterThan(1)
  for (let time = 0; time < 6; time++) await visit()
  expect(counted).toEqual({ listeners: 0, intervals: 0, urls: 0, contexts: 0 })
})
