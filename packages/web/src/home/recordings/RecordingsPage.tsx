import { RecordingList } from './RecordingList.tsx'
import { RecordingPage } from './RecordingPage.tsx'

/** `/recordings`, and `/recordings/<id>` below it. */
export function RecordingsPage({ parts: [id] }: { parts: readonly string[] }) {
  return id === undefined ? <RecordingList /> : <RecordingPage key={id} id={id} />
}
