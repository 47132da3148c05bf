import type { PartnerClient, RoomRequest } from '@lectern/partner'
import type { ErrorBody, JoinResponse } from '@lectern/protocol'

export const LESSON: RoomRequest = {
  title: 'Algebra: quadratic equations',
  starts_at: '2031-05-14T09:30:00Z',
  ends_at: '2031-05-14T10:15:00Z',
  teacher: { display_name: 'Anna Petrova', external_id: 'teacher-7' },
  student: { display_name: 'Mia Andersson' },
}

/** Creates valid links, and one link of every invalid kind. */
export async function createLinks(partner: PartnerClient) {
  const room = await partner.createRoom('lesson', LESSON)
  const rotated = await partner.createRoom('rotated', LESSON)
  await partner.updateRoom('rotated', { teacher: { external_id: 'teacher-8' } })
  const closed = await partner.createRoom('closed', LESSON)
  await partner.closeRoom('closed')
  const cancelled = await partner.createRoom('cancelled', LESSON)
  await partner.cancelRoom('cancelled')
  const { origin } = new URL(room.join_url)
  return {
    teacher: room.teacher_join_url,
    student: room.student_join_url,
    plain: room.join_url,
    closed: closed.student_join_url,
    cancelled: cancelled.student_join_url,
    rotated: rotated.teacher_join_url,
    forged: forge(room.teacher_join_url),
    cut: room.teacher_join_url.slice(0, `${origin}/j/`.length + 20),
    unknown: room.join_url.replace(/[^/]+$/, 'no-such-room'),
    closedPlain: closed.join_url,
  }
}

/** The response of the public link resolver. */
export async function resolveLink(link: string): Promise<JoinResponse | ErrorBody> {
  const response = await fetch(link.replace('/j/', '/api/v1/integration/join/'))
  return (await response.json()) as JoinResponse | ErrorBody
}

export const tokenOf = (link: string) => new URL(link).pathname.replace('/j/', '')

/** Changes one character of the signature. */
function forge(link: string): string {
  const at = link.length - 8
  return link.slice(0, at) + (link[at] === 'A' ? 'B' : 'A') + link.slice(at + 1)
}
