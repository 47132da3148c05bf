import { FileText, type LucideIcon, Paperclip } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { OwnPermissions } from '../../call/own-permissions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { takesOffice } from '../../uploads/files.ts'
import { useValue } from '../../use-value.ts'
import { chooseFiles, slideTypes } from '../board/files/choose-files.ts'
import { chatViewStateOf } from '../chat/chat-view-state.ts'
import type { JoinedState } from '../joined-state.ts'
import type { Room } from '../room.ts'

export interface ShareParts {
  room: Room
  joined: JoinedState
  may: OwnPermissions
}

interface ShareChoice {
  icon: LucideIcon
  label: string
  choose: () => void
}

/** The things that moderators can share besides the screen. Others send files from the chat. */
export function sharesOf({ room: { board, features }, joined, may }: ShareParts) {
  const isModerator = joined.me.role === 'moderator'
  return {
    slides: isModerator && board.get().isAvailable,
    file: isModerator && features.chat && features.files && may.chat,
  }
}

/** Slides on the board, and a file in the chat. */
export function useShareChoices(parts: ShareParts): ShareChoice[] {
  const { t } = useTexts()
  const { board, call, panels } = parts.room
  useValue(board)
  const { slides, file } = sharesOf(parts)
  const [isOffice, setOffice] = useState(false)
  useEffect(() => {
    if (slides) void takesOffice(call.files).then(setOffice)
  }, [call, slides])
  const addToChat = (files: readonly File[]) => {
    chatViewStateOf(call).attachments.add(files)
    panels.show('chat')
  }
  const addToBoard = () => chooseFiles(slideTypes(isOffice), board.addSlides)
  const choices: ShareChoice[] = []
  if (slides) choices.push({ icon: FileText, label: t('bar.slides'), choose: addToBoard })
  if (file) choices.push({ icon: Paperclip, label: t('bar.file'), choose: () => chooseFiles('', addToChat) })
  return choices
}
