import { beforeEach, describe, expect, it, vi } from 'vitest'
import { aTrack } from '../../call/testing/transports.ts'
import { createTestRoom } from '../testing.ts'
import type { Player } from './audio-playback.ts'

/** Stub for Node. */
beforeEach(() => void vi.stubGlobal('MediaStream', class {}))

class FakePlayer extends EventTarget implements Player {
  srcObject: MediaProvider | null = null
  isPlaying = false
  sink = ''
  refuses = false
  play = async () => {
    if (this.refuses) throw new DOMException('no gesture', 'NotAllowedError')
    this.isPlaying = true
  }
  pause = () => {
    this.isPlaying = false
  }
  setSinkId = async (id: string) => {
    this.sink = id
  }
}

describe('AudioPlayback', () => {
  it('plays until it is stopped', () => {
    const { audio } = createTestRoom().room
    const player = new FakePlayer()
    const stop = audio.play(player, aTrack().track)
    expect(player.isPlaying).toBe(true)
    stop()
    expect([player.isPlaying, player.srcObject]).toEqual([false, null])
  })

  it('continues after the system has paused a player, as for a phone call; if that does not last, it asks for a click', async () => {
    const { audio } = createTestRoom().room
    const player = new FakePlayer()
    const { fake, track } = aTrack()
    const stop = audio.play(player, track)
    const interrupt = () => {
      player.isPlaying = false
      player.dispatchEvent(new Event('pause'))
    }
    interrupt()
    expect([player.isPlaying, audio.get()]).toEqual([true, false])
    interrupt()
    expect([player.isPlaying, audio.get()]).toEqual([false, true])
    audio.resume()
    expect([player.isPlaying, audio.get()]).toEqual([true, false])
    // A track that ends pauses its player, too.
    fake.readyState = 'ended'
    interrupt()
    expect([player.isPlaying, audio.get()]).toEqual([false, false])
    stop()
  })

  it('reports blocked playback, and resumes all players on a click', async () => {
    const { audio } = createTestRoom().room
    const players = [new FakePlayer(), new FakePlayer()]
    for (const player of players) {
      player.refuses = true
      audio.play(player, aTrack().track)
    }
    await expect.poll(audio.get).toBe(true)
    for (const player of players) player.refuses = false
    audio.resume()
    expect(audio.get()).toBe(false)
    expect(players.every(({ isPlaying }) => isPlaying)).toBe(true)
  })
})
