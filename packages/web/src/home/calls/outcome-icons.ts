import {
  type LucideIcon,
  Phone,
  PhoneCall,
  PhoneIncoming,
  PhoneMissed,
  PhoneOff,
  PhoneOutgoing,
} from 'lucide-react'
import type { Outcome } from '../../calls/facts.ts'

export const outcomeIcons: Record<Outcome, LucideIcon> = {
  ringing: PhoneCall,
  active: Phone,
  outgoing: PhoneOutgoing,
  incoming: PhoneIncoming,
  missed: PhoneMissed,
  declined: PhoneOff,
  cancelled: PhoneOff,
  unanswered: PhoneOutgoing,
  refused: PhoneOff,
  busy: PhoneOff,
}
