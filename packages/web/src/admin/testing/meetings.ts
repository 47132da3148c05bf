import type {
  AdminJobListResponse,
  AdminRecordingListResponse,
  AdminRoomListResponse,
  AdminSessionListResponse,
  AdminSessionResponse,
  AdminTranscriptListResponse,
} from '@lectern/protocol'

const AT_MS = 1_700_000_000_000
const result = 200
const next = null
const LONG = 'A very long name '.repeat(6).trim()

const session = {
  conference_session_id: 3,
  conference_tag: 'abcd-efghi-jklm',
  server: null,
  title: 'Algebra: quadratic equations',
  kind: 'partner',
  started_at_ms: AT_MS,
  participant_count: 2,
  waiting_count: 1,
  recording: true,
  transcription: true,
  locked: true,
  rtc_node_id: 'rtc-1',
  rtc_node_ids: ['rtc-1'],
  media_nodes: [],
} satisfies AdminSessionListResponse['sessions'][0]
export const sessions: AdminSessionListResponse = { result, sessions: [session], next }
export const oneSession: AdminSessionResponse = {
  result,
  ...session,
  participants: [
    {
      participant_id: '1',
      user_id: 1,
      display_name: 'Anna Petrova',
      role: 'moderator',
      presence: 'here',
      joined_at_ms: AT_MS,
      quality: 9,
      publications: [{ source: 'microphone', paused: true }],
    },
    {
      participant_id: '2',
      user_id: 2,
      display_name: 'مريم',
      role: 'participant',
      presence: 'away',
      joined_at_ms: AT_MS,
      quality: null,
      publications: [],
    },
  ],
}

export const rooms: AdminRoomListResponse = {
  result,
  rooms: [
    ['algebra', 'Algebra', 'scheduled'],
    ['old', 'الجبر: المعادلات (1)', 'closed'],
  ].map(([external_id = '', title = '', status], i) => ({
    room_id: i,
    external_id,
    tag: `tag-${i}`,
    title,
    owner: 'school-backend',
    status: status as 'scheduled' | 'closed',
    live: i === 0,
    starts_at: '2031-05-14T09:30:00Z',
    ends_at: null,
  })),
  next,
}

export const recordings: AdminRecordingListResponse = {
  result,
  recordings: [
    {
      job_id: 'job_1',
      conference_tag: 'abcd-efghi-jklm',
      conference_title: 'Algebra',
      external_id: 'algebra',
      conference_session_id: 3,
      owner: 'anna',
      profile: 'consolidated_native',
      status: 'completed',
      started_at_ms: AT_MS,
      duration_ms: 3_600_000,
      file_count: 7,
      bytes: 5e8,
    },
  ],
  next,
}
export const transcripts: AdminTranscriptListResponse = {
  result,
  transcripts: [
    {
      id: 'job_2',
      job_id: 'job_2',
      conference_tag: 'abcd-efghi-jklm',
      conference_title: LONG,
      external_id: null,
      conference_session_id: 3,
      status: 'completed',
      language: 'en-US',
      engine: 'vosk',
      started_at_ms: AT_MS,
      ended_at_ms: AT_MS + 1,
      reason: 'stopped',
      created_at: 1_700_000_000,
    },
  ],
  next,
}
export const jobs: AdminJobListResponse = {
  result,
  jobs: (['queued', 'leased', 'failed'] as const).map((state, i) => ({
    job_id: `job_${i}`,
    kind: 'recording',
    scope: 'partner_auto',
    state,
    conference_tag: 'abcd-efghi-jklm',
    conference_title: i === 2 ? null : 'Algebra',
    external_id: i === 0 ? 'algebra' : null,
    conference_session_id: 3,
    attempts: i,
    stop_requested: false,
    worker_id: i > 0 ? 'recorder-1' : null,
    lease_until_ms: null,
    failure: i === 2 ? 'The disk is full.' : null,
    created_at_ms: AT_MS,
    updated_at_ms: AT_MS,
  })),
  next,
}
