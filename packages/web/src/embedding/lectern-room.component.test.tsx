import '@lectern/embed/element'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'

/** Nothing listens there, and browsers refuse to try. */
const AWAY = 'http://127.0.0.1:1/j/secret'

afterEach(() => {
  vi.useRealTimers()
  document.body.replaceChildren()
})

function show(link: string, width: number) {
  const element = document.createElement('lectern-room')
  element.setAttribute('src', link)
  element.style.width = `${width}px`
  document.body.append(element)
  return element
}

describe('<lectern-room>', () => {
  it('reports a server that is away within ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const codes: unknown[] = []
    const element = show(AWAY, 800)
    element.addEventListener('error', event => codes.push((event as unknown as CustomEvent).detail.code))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(codes).toEqual(['unreachable'])
  })

  it('is by default as high as the prejoin screen needs, and no higher than the window', async () => {
    await page.viewport(1400, 900)
    const heights = [320, 600, 1024, 1280].map(width => show(AWAY, width).getBoundingClientRect().height)
    expect(heights).toEqual([576, 576, 576, 720])
    await page.viewport(844, 340)
    expect(show(AWAY, 400).getBoundingClientRect().height).toBe(340)
  })
})
