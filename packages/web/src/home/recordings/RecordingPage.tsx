import { Trash2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { homePath } from '../../address.ts'
import { formatSize } from '../../format-size.ts'
import { saveFrom } from '../../save-file.ts'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { useValue } from '../../use-value.ts'
import { PageFrame } from '../shell/PageFrame.tsx'
import { AttendanceTable } from './AttendanceTable.tsx'
import { BoardPages } from './BoardPages.tsx'
import { ChapterList } from './ChapterList.tsx'
import { formatDate } from './format.ts'
import { boardPagesOf, LESSON_FILES } from './lesson.ts'
import { Player } from './Player.tsx'
import { PlayerTools } from './PlayerTools.tsx'
import { RecordingFiles } from './RecordingFiles.tsx'
import styles from './RecordingPage.module.css'
import { RecordingDetails, type RecordingState } from './recording-details.ts'
import { TranscriptPanel } from './TranscriptPanel.tsx'
import { formatPosition } from './transcript-text.ts'

/** A transcript that is being made is requested again. */
const REFRESH_INTERVAL_MS = 10_000

/** One recording: player, chapters, board, transcript, attendance and files. */
export function RecordingPage({ id }: { id: string }) {
  const { t } = useTexts()
  const { account, go } = useSite()
  const [details] = useState(() => new RecordingDetails(account, id))
  const state = useValue(details)
  const [isRequesting, setAsking] = useState(false)
  const [failed, setFailed] = useState(false)
  const isWaiting = state.is === 'known' && state.transcript.is === 'processing'
  useEffect(() => void details.load(), [details])
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => void details.load(), REFRESH_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [details, isWaiting])

  const remove = async () => {
    setFailed(false)
    if (await details.remove()) go(homePath('recordings'))
    else setFailed(true)
  }
  const title = state.is === 'known' ? state.recording.title : t('recordings.one')
  return (
    <PageFrame
      title={title}
      back={homePath('recordings')}
      actions={
        state.is === 'known' && (
          <PanelButton
            icon={Trash2}
            label={t('recordings.remove')}
            onClick={() => setAsking(true)}
            iconOnly
            danger
          />
        )
      }
    >
      {failed && (
        <p className={styles.failed} role="alert">
          {t('recordings.notDone')}
        </p>
      )}
      {state.is === 'loading' && (
        <p className={styles.note} role="status">
          {t('recordings.loadingOne')}
        </p>
      )}
      {state.is === 'missing' && <p className={styles.note}>{t('recordings.missing')}</p>}
      {state.is === 'unknown' && (
        <div className={styles.unknown} role="status">
          <p>{t('recordings.unknownOne')}</p>
          <Button secondary onClick={() => void details.load()}>
            {t('problem.again')}
          </Button>
        </div>
      )}
      {state.is === 'known' && <KnownRecording state={state} details={details} />}
      {isRequesting && (
        <ConfirmDialog
          question={t('recordings.removeConfirm', { title })}
          verb={t('recordings.removeVerb')}
          cancel={t('room.cancel')}
          danger
          onConfirm={() => void remove()}
          onClose={() => setAsking(false)}
        />
      )}
    </PageFrame>
  )
}

interface KnownProps {
  state: Extract<RecordingState, { is: 'known' }>
  details: RecordingDetails
}

function KnownRecording({ state: { recording, transcript, lesson }, details }: KnownProps) {
  const { locale } = useTexts()
  const video = useRef<HTMLVideoElement>(null)
  const [positionMs, setPositionMs] = useState(0)
  const phrases = transcript.is === 'known' ? transcript.phrases : []
  const { started_at_ms, duration_ms, size, video_blob_id, files } = recording
  const fileAt = (wanted: string) => files.find(({ path }) => path === wanted)
  const table = fileAt(LESSON_FILES.attendanceTable)
  const board = fileAt(LESSON_FILES.board)
  const pages = useMemo(() => boardPagesOf(files, lesson.chapters), [files, lesson.chapters])
  const save = async (blobId: string) => {
    const url = await details.linkTo(blobId)
    if (url !== null) saveFrom(url)
    return url !== null
  }
  const seek = (ms: number) => {
    if (!video.current) return
    video.current.currentTime = ms / 1000
    setPositionMs(ms)
    void video.current.play().catch(() => {}) // the browser may demand a click on the player
  }
  return (
    <div className={styles.recording}>
      <div className={styles.main}>
        <Player
          ref={video}
          blobId={video_blob_id}
          linkTo={details.linkTo}
          poster={lesson.poster}
          phrases={phrases}
          language={transcript.is === 'known' ? transcript.language : 'und'}
          onPosition={setPositionMs}
        />
        {video_blob_id !== null && <PlayerTools video={video} onSave={() => save(video_blob_id)} />}
        <p className={styles.line}>
          <time dateTime={new Date(started_at_ms).toISOString()}>{formatDate(started_at_ms, locale)}</time>
          <span>{formatPosition(duration_ms)}</span>
          <span>{formatSize(size, locale)}</span>
        </p>
        <ChapterList
          chapters={lesson.chapters}
          positionMs={positionMs}
          onSeek={video_blob_id === null ? null : seek}
        />
        <BoardPages
          pages={pages}
          linkTo={details.linkTo}
          onSeek={video_blob_id === null ? null : seek}
          onSave={board ? () => save(board.blob_id) : null}
        />
      </div>
      <TranscriptPanel
        title={recording.title}
        transcript={transcript}
        positionMs={positionMs}
        onSeek={video_blob_id === null ? null : seek}
      />
      <div className={styles.main}>
        <AttendanceTable attendance={lesson.attendance} onSave={table ? () => save(table.blob_id) : null} />
        <RecordingFiles recording={recording} linkTo={details.linkTo} />
      </div>
    </div>
  )
}
