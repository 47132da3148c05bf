import type { ComponentType } from 'react'
import type { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { ChatPanel } from '../chat/ChatPanel.tsx'
import { useUnread } from '../chat/chat-view-state.ts'
import { FilesPanel } from '../files/FilesPanel.tsx'
import { filesOf, hasFiles } from '../files/files.ts'
import type { JoinedState } from '../joined-state.ts'
import type { Panel } from '../panels.ts'
import { PeoplePanel } from '../people/PeoplePanel.tsx'
import type { Room } from '../room.ts'
import { TranscriptPanel } from '../transcript/TranscriptPanel.tsx'

type Translate = ReturnType<typeof useTexts>['t']

interface PanelProps {
  room: Room
  joined: JoinedState
}

interface PanelTab {
  name: (t: Translate) => string
  closeLabel: (t: Translate) => string
  /** How many there are of what it shows; null: it says nothing. */
  useCount: (props: PanelProps) => number | null
  /** Whether it is there also while another tab is open. */
  isOffered: (props: PanelProps) => boolean
  Content: ComponentType<PanelProps>
}

/** The tabs of the panel, in their order. A feature adds its own, which is there where the room has the feature. */
export const PANEL_TABS: Readonly<Record<Panel, PanelTab>> = {
  people: {
    name: t => t('people.title'),
    closeLabel: t => t('people.close'),
    useCount: ({ joined }) => new Set(joined.session.participants.map(each => each.user_id)).size,
    isOffered: () => true,
    Content: PeoplePanel,
  },
  chat: {
    name: t => t('chat.title'),
    closeLabel: t => t('chat.close'),
    useCount: ({ room }) => useUnread(room.call) || null,
    isOffered: ({ room }) => room.features.chat,
    Content: ChatPanel,
  },
  files: {
    name: t => t('roomFiles.title'),
    closeLabel: t => t('roomFiles.close'),
    useCount: ({ room }) => filesOf(useValue(room.call.chat).messages).length || null,
    isOffered: ({ room }) => hasFiles(room),
    Content: FilesPanel,
  },
  transcript: {
    name: t => t('transcript.title'),
    closeLabel: t => t('transcript.close'),
    useCount: () => null,
    isOffered: ({ room, joined }) => room.features.transcription && joined.session.transcription,
    Content: TranscriptPanel,
  },
}
