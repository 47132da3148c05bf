import type { Call } from '../../call/call.ts'
import { MessageField } from '../../chat/MessageField.tsx'
import { useValue } from '../../use-value.ts'
import { chatViewStateOf } from './chat-view-state.ts'

interface Props {
  call: Call
  /** This user may not send now; the draft stays. */
  closed: boolean
  /** This user may send files. */
  mayAttach: boolean
}

/** Writes messages of the session. The draft outlives the panel. */
export function Composer({ call, closed, mayAttach }: Props) {
  const { draft, attachments } = chatViewStateOf(call)
  return (
    <MessageField
      value={useValue(draft)}
      onChange={text => {
        draft.write(text)
        if (text !== '') call.typing.notify()
      }}
      onSend={text => {
        call.chat.send(text, mayAttach ? attachments.take() : [])
        draft.write('')
      }}
      attachments={mayAttach ? attachments : undefined}
      closed={closed}
    />
  )
}
