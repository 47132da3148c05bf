import { Lifetime } from '@lectern/common'
import { describe, expect, it, vi } from 'vitest'
import { Pip } from './pip.ts'

class FakeWindow extends EventTarget {
  readonly close = vi.fn(() => this.dispatchEvent(new Event('pagehide')))
}

describe('Pip', () => {
  it('opens a window, and detects that the window is closed', async () => {
    const opened = new FakeWindow()
    const openVideo = vi.fn()
    const lifetime = new Lifetime()
    const pip = new Pip(
      { openWindow: async () => opened as unknown as Window, openVideo },
      () => 'person p1',
      lifetime,
    )
    expect(pip.isSupported).toBe(true)
    await pip.toggle()
    expect(pip.get()).toEqual({ is: 'window', window: opened })
    opened.close()
    expect(pip.get()).toEqual({ is: 'closed' })
    await pip.toggle()
    await pip.toggle()
    expect([pip.get().is, opened.close.mock.calls.length]).toEqual(['closed', 2])
    expect(openVideo).not.toHaveBeenCalled()
  })

  it('shows the large video where the browser has no such windows', async () => {
    let onClosed = () => {}
    const exit = vi.fn(() => onClosed())
    const tiles: (string | null)[] = []
    const lifetime = new Lifetime()
    const openVideo = async (tile: string | null, closed: () => void) => {
      tiles.push(tile)
      onClosed = closed
      return { tileId: tile, close: exit }
    }
    const pip = new Pip({ openWindow: null, openVideo }, () => 'person p1', lifetime)
    await pip.toggle()
    expect([pip.get().is, tiles]).toEqual(['video', ['person p1']])
    await lifetime.close()
    expect([pip.get().is, exit.mock.calls.length]).toEqual(['closed', 1])
  })

  it('closes a window that the browser opens after the end of the call', async () => {
    const opened = new FakeWindow()
    const lifetime = new Lifetime()
    const openWindow = async () => {
      await lifetime.close()
      return opened as unknown as Window
    }
    const pip = new Pip({ openWindow, openVideo: null }, () => null, lifetime)
    await pip.toggle()
    expect([pip.get().is, opened.close.mock.calls.length]).toEqual(['closed', 1])
  })

  it('stays closed when the browser refuses, and is not offered where it has neither', async () => {
    const refuses = async () => {
      throw new DOMException('no', 'NotAllowedError')
    }
    const pip = new Pip({ openWindow: refuses, openVideo: null }, () => null, new Lifetime())
    await pip.toggle()
    expect(pip.get()).toEqual({ is: 'closed' })
    expect(new Pip({ openWindow: null, openVideo: null }, () => null, new Lifetime()).isSupported).toBe(false)
  })
})
