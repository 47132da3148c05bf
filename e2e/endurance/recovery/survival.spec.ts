import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom, testSeed } from '@lectern/common/testing'
import type { PartnerClient, RoomRequest, RoomResponse } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { useLectern } from '../../support/lectern.ts'
import { resolveLink } from '../../support/links.ts'
import { waitFor } from '../../support/wait.ts'

const WRITERS = 8
const ROUNDS = 5
const AT_LEAST = 40 // answered writes before each kill
const LATEST_KILL_MS = 400

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
let partner: PartnerClient
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount(), { retryDelaysMs: [] })
})

/** The state of a room as known to its only writer. */
interface Known {
  attempted: number
  /** The latest response; null until the PUT is answered. */
  answered: { version: number; room: RoomResponse } | null
}

describe('kill -9 under heavy writes', () => {
  it('loses no acknowledged write, and leaves no partial or duplicate room', async () => {
    const seed = testSeed()
    const random = seededRandom(seed)
    const own = new Map<string, Known>()
    const shared = new Map<string, Set<number>>()
    let [answers, cuts] = [0, 0]

    for (let round = 1; round <= ROUNDS; round++) {
      let stopped = false
      const target = answers + AT_LEAST
      const write = async (writer: number) => {
        for (let step = 1; !stopped; step++) {
          try {
            await writeOne(`${round}-${writer}`, step, own, shared, random)
            answers++
          } catch (error) {
            if (!isCut(error)) throw error
            cuts++
            return
          }
        }
      }
      const storm = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
      await Promise.race([storm, waitFor(() => answers >= target, 'enough writes are answered')])
      await sleep(random() * LATEST_KILL_MS)
      await lectern.stop('SIGKILL')
      stopped = true
      await storm
      await lectern.start()
      await checkAll(own, shared)
    }
    console.log(`${answers} writes answered, ${cuts} cut, in ${own.size + shared.size} rooms`)
    expect(cuts).toBeGreaterThan(ROUNDS)
  })
})

/** Creates a room, changes one several times, or creates the same room as the other writers. */
async function writeOne(
  writer: string,
  step: number,
  own: Map<string, Known>,
  shared: Map<string, Set<number>>,
  random: () => number,
) {
  if (random() < 0.2) {
    const [round] = writer.split('-')
    const id = `shared-${round}-${Math.floor(step / 5)}`
    const { room_id } = await partner.createRoom(id, content(id, 0))
    shared.set(id, (shared.get(id) ?? new Set()).add(room_id))
    return
  }
  const id = `own-${writer}-${Math.floor(step / 6)}`
  const known = own.get(id) ?? { attempted: -1, answered: null }
  own.set(id, known)
  const version = ++known.attempted
  const wanted = content(id, version)
  const room = version === 0 ? await partner.createRoom(id, wanted) : await partner.updateRoom(id, wanted)
  known.answered = { version, room }
}

/** Fields that are written together, each containing the version. Every third version rotates the teacher's link. */
function content(id: string, version: number): RoomRequest {
  const start = Date.UTC(2031, 0, 1) + version * 3_600_000
  return {
    title: `${id} v${version}`,
    description: `v${version} `.repeat(500),
    starts_at: new Date(start).toISOString(),
    ends_at: new Date(start + 2_700_000).toISOString(),
    teacher: { display_name: `Teacher v${version}`, external_id: `teacher-${Math.floor(version / 3)}` },
    student: { display_name: `Student v${version}` },
  }
}

async function checkAll(own: Map<string, Known>, shared: Map<string, Set<number>>) {
  const ids: number[] = []
  for (const [id, known] of own) {
    const room = await checkOwn(id, known)
    if (room) ids.push(room.room_id)
  }
  for (const [id, answered] of shared) {
    const room = await partner.getRoom(id)
    expect(
      [...answered, room.room_id].every(each => each === room.room_id),
      id,
    ).toBe(true)
    expect(room).toMatchObject(content(id, 0))
    ids.push(room.room_id)
  }
  expect(new Set(ids).size).toBe(ids.length)
}

/** Returns null if the PUT was never answered and the room does not exist. Observed values MUST NOT change. */
async function checkOwn(id: string, known: Known): Promise<RoomResponse | null> {
  const { attempted, answered } = known
  const room = await partner.getRoom(id).catch(error => {
    if (error.code === 'room_not_found' && !answered) return null
    throw error
  })
  if (!room) return null

  const version = Number(/ v(\d+)$/.exec(room.title)?.[1])
  expect(version, id).toBeGreaterThanOrEqual(answered?.version ?? 0)
  expect(version, id).toBeLessThanOrEqual(attempted)
  expect(room, id).toMatchObject(content(id, version))
  if (answered) {
    expect(room.room_id, id).toBe(answered.room.room_id)
    if (version === answered.version) expect(answered.room).toMatchObject(room)
    expect(room.student_join_url).toBe(answered.room.student_join_url)
  }
  expect(await resolveLink(room.teacher_join_url)).toMatchObject({ role: 'teacher', title: room.title })
  expect(await resolveLink(room.student_join_url)).toMatchObject({ role: 'student', title: room.title })

  const again = await partner.createRoom(id, { title: 'not taken' })
  expect(again).toEqual({ ...room, created: false, differing_fields: ['title'] })
  known.answered = { version, room }
  known.attempted = version
  return room
}

const isCut = (error: unknown) => (error as { code?: string }).code === 'network_error'
