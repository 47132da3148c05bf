import { describe, expect, it } from 'vitest'
import { ScrollFollower } from './scroll-follower.ts'

/** A log that limits its position as browsers do. */
class Log {
  #top = 0
  scrollHeight = 1_000
  clientHeight = 300

  get scrollTop(): number {
    return this.#top
  }

  set scrollTop(top: number) {
    this.#top = Math.min(Math.max(top, 0), this.scrollHeight - this.clientHeight)
  }

  get isAtEnd(): boolean {
    return this.scrollTop === this.scrollHeight - this.clientHeight
  }
}

function begin() {
  const log = new Log()
  const follower = new ScrollFollower()
  follower.follow(log)
  return { log, follower }
}

describe('ScrollFollower', () => {
  it('stays at the end when the log becomes smaller or its lines break otherwise', () => {
    const { log, follower } = begin()
    log.clientHeight = 100
    follower.follow(log)
    expect(log.isAtEnd).toBe(true)
    log.scrollHeight = 1_600
    follower.follow(log)
    expect(log.isAtEnd).toBe(true)
  })

  it('stays at the end when an earlier scroll event comes after the log has been resized', () => {
    const { log, follower } = begin()
    log.clientHeight = 100
    follower.onScroll(log)
    expect([follower.isAtEnd, log.isAtEnd]).toEqual([true, true])
    log.scrollHeight = 1_600
    follower.onScroll(log)
    expect([follower.isAtEnd, log.isAtEnd]).toEqual([true, true])
  })

  it('stays where the user has scrolled to, until that is the end again', () => {
    const { log, follower } = begin()
    log.scrollTop = 200
    follower.onScroll(log)
    log.scrollHeight = 1_600
    follower.follow(log)
    follower.onScroll(log)
    expect([follower.isAtEnd, log.scrollTop]).toEqual([false, 200])
    log.scrollTop = 1_290
    follower.onScroll(log)
    expect([follower.isAtEnd, log.isAtEnd]).toEqual([true, true])
  })

  it('stays at an end after which there are newer messages, until it is sent to the newest one', () => {
    const { log, follower } = begin()
    log.scrollTop = 690
    follower.onScroll(log, true)
    log.scrollHeight = 1_600
    follower.follow(log)
    expect([follower.isAtEnd, log.scrollTop]).toEqual([false, 690])
    follower.toEnd(log)
    log.scrollHeight = 2_000
    follower.follow(log)
    expect([follower.isAtEnd, log.isAtEnd]).toEqual([true, true])
  })

  it('stays where the user has scrolled to when content comes before the scroll event', () => {
    const { log, follower } = begin()
    log.scrollTop = 0
    log.scrollHeight = 1_600
    follower.follow(log)
    expect([follower.isAtEnd, log.scrollTop]).toEqual([false, 0])
  })

  it('stays at the end when the browser scrolls up because content has gone or the log has become larger', () => {
    const { log, follower } = begin()
    log.scrollHeight = 900
    log.scrollTop = 600
    follower.follow(log)
    log.clientHeight = 500
    log.scrollTop = 400
    follower.follow(log)
    expect([follower.isAtEnd, log.isAtEnd]).toEqual([true, true])
  })
})
