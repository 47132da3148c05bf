import type { ParticipantView } from '@lectern/protocol/control/client'
import { History } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Call } from '../../call/call.ts'
import { GroupKeys, groupMessages, type MessageGroup } from '../../chat/message-groups.ts'
import { MessageWindow } from '../../chat/window/MessageWindow.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { useValue } from '../../use-value.ts'
import { useModeratorTerm } from '../moderator-term.ts'
import { isNamesake } from '../people/namesake.ts'
import { chatViewStateOf } from './chat-view-state.ts'
import { useLoadedRange } from './use-loaded-range.ts'

interface Props {
  call: Call
  ownUserId: string
  participants: readonly ParticipantView[]
  /** This user may delete the messages of others. */
  isModerator: boolean
  /** Files were dropped; absent: this user may not send any. */
  onFiles: ((files: Iterable<File>) => void) | undefined
}

/** The messages of the chat, delivered and pending. */
export function MessageLog({ call, ownUserId, participants, isModerator, onFiles }: Props) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const { chat } = call
  const { edit, remove, isEditable, loadOlder } = chat
  const { messages: all, pending, hasOlder, loadingOlder } = useValue(chat)
  const { unread } = chatViewStateOf(call)
  const range = useLoadedRange(all)
  const [keys] = useState(() => new GroupKeys())
  const { messages } = range
  const groups = useMemo(() => keys.assign(groupMessages(messages, ownUserId)), [keys, messages, ownUserId])
  const noteOf = ({ own, messages: [first] }: MessageGroup) =>
    first && !own && !first.by_moderator && isNamesake(first, participants)
      ? t('people.namesake', moderator)
      : undefined

  return (
    <MessageWindow
      rows={groups.map(group => ({ key: group.key, group }))}
      range={range}
      top={
        hasOlder &&
        !range.hasOlder && (
          <PanelButton
            icon={History}
            label={loadingOlder ? t('chat.loading') : t('chat.older')}
            onClick={() => void loadOlder()}
          />
        )
      }
      empty={t('chat.empty')}
      pending={pending}
      outbox={chat}
      reasonOf={code =>
        code === 'read_only'
          ? t('chat.failedReadOnly', moderator)
          : code === 'files_not_permitted'
            ? t('moderation.forbidden.files')
            : null
      }
      files={call.files}
      onFiles={onFiles}
      canDelete={isOwn => isOwn || isModerator}
      editor={{ edit, remove, describe: () => t('chat.notDone') }}
      isEditable={isEditable}
      unread={useValue(unread)}
      onVisible={id => id === all.at(-1)?.message_id && unread.markRead()}
      noteOf={noteOf}
    />
  )
}
