import type { RoomResponse } from '@lectern/protocol'
import { putRoom } from '../api.ts'
import { numbered } from './numbered.ts'

const LESSON = {
  title: 'Demo lesson',
  teacher: { display_name: 'Teacher' },
  student: { display_name: 'Student' },
}

/** The same room at every run, until it is closed or cancelled; then a new one. */
export async function openDemoRoom(url: string, token: string, number = 1): Promise<RoomResponse> {
  const room = await putRoom(url, token, numbered('demo-lesson', number), LESSON)
  const hasEnded = room.status === 'closed' || room.status === 'cancelled'
  return hasEnded ? openDemoRoom(url, token, number + 1) : room
}
