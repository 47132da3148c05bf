import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeBoardFiles } from '../board/board-files.ts'
import type { Artifact, Made } from '../profiles/profile.ts'
import type { Recording } from '../recording.ts'
import { attendanceCsv } from './attendance-csv.ts'
import { type AttendanceRow, attendanceOf } from './attendance-report.ts'
import { type Chapter, chaptersOf } from './chapters.ts'
import { peopleOf } from './people.ts'
import { makePoster, posterMoment } from './poster.ts'

/** The files of a lesson besides its media. */
export interface LessonFiles {
  artifacts: Artifact[]
  attendance: AttendanceRow[]
  chapters: Chapter[]
}

/** Writes attendance.json, attendance.csv, chapters.json, the files of the board and, of a composed video, poster.jpg
 * (docs/recording.md). */
export async function writeLessonFiles(
  recording: Recording,
  { artifacts, endedAtMs }: Made,
  folder: string,
  externalIds: ReadonlyMap<string, string>,
): Promise<LessonFiles> {
  const { startedAtMs } = recording.state
  const people = peopleOf(recording.events.attendance, recording.tracks.byFile.values(), externalIds)
  const attendance = attendanceOf(people, endedAtMs)
  const board = await writeBoardFiles(recording.board.file, folder, {
    startedAtMs,
    endedAtMs,
    images: recording.images,
    onFailure: (path, error) => recording.reportLog.add('board_failed', { path, error: String(error) }),
  })
  const chapters: Chapter[] = [...chaptersOf(people, startedAtMs, endedAtMs), ...board.chapters]
  chapters.sort((a, b) => a.from_ms - b.from_ms)
  const time = { started_at_ms: startedAtMs, ended_at_ms: endedAtMs }
  const json = (format: string, body: object) =>
    `${JSON.stringify({ format: `lectern.recording.${format}.1`, ...time, ...body }, null, 2)}\n`
  await writeFile(join(folder, 'attendance.json'), json('attendance', { people: attendance }))
  await writeFile(join(folder, 'attendance.csv'), attendanceCsv(attendance))
  await writeFile(join(folder, 'chapters.json'), json('chapters', { chapters }))
  const video = artifacts.find(isComposedVideo)
  const poster =
    video && (await makePoster(recording, folder, video.path, posterMoment(people, startedAtMs, endedAtMs)))
  return {
    artifacts: [
      { path: 'attendance.csv', contentType: 'text/csv' },
      { path: 'attendance.json', contentType: 'application/json' },
      { path: 'chapters.json', contentType: 'application/json' },
      ...board.artifacts,
      ...(poster ? [poster] : []),
    ],
    attendance,
    chapters,
  }
}

const isComposedVideo = ({ path, contentType }: Artifact) =>
  !path.includes('/') && contentType.startsWith('video/')
