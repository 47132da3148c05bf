/** The words of notifications; names and messages come from people. */
export interface PushTexts {
  call: string
  videoCall: string
  missedCall: string
  answeredElsewhere: string
  declinedElsewhere: string
  contactRequest: string
  test: string
}
