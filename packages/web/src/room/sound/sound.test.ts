import { beforeEach, describe, expect, it, vi } from 'vitest'
import { aTrack } from '../../call/testing/peer.ts'
import { aRoom } from '../testing.ts'
import type { Player } from './sound.ts'

/** A stream, where there is no browser. */
beforeEach(() => void vi.stubGlobal('MediaStream', class {}))

class FakePlayer implements Player {
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

describe('Sound', () => {
  it('plays until it is ended', () => {
    const { sound } = aRoom().room
    const player = new FakePlayer()
    const stop = sound.play(player, aTrack().track)
    expect(player.isPlaying).toBe(true)
    stop()
    expect([player.isPlaying, player.srcObject]).toEqual([false, null])
  })

  it('asks for a click where the browser wants one, and plays all after it', async () => {
    const { sound } = aRoom().room
    const players = [new FakePlayer(), new FakePlayer()]
    for (const player of players) {
      player.refuses = true
      sound.play(player, aTrack().track)
    }
    await expect.poll(sound.get).toBe(true)
    for (const player of players) player.refuses = false
    sound.allow()
    expect(sound.get()).toBe(false)
    expect(players.every(({ isPlaying }) => isPlaying)).toBe(true)
  })
})
