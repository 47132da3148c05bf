/** The actions of the audit log by the keys of their texts, which cannot contain dots. */
export const ACTIONS = {
  userCreate: 'user.create',
  userInvite: 'user.invite',
  userChange: 'user.change',
  userDelete: 'user.delete',
  userEndSignIns: 'user.end_sign_ins',
  serviceAccountCreate: 'service_account.create',
  serviceAccountChange: 'service_account.change',
  serviceAccountIssueToken: 'service_account.issue_token',
  serviceAccountRotate: 'service_account.rotate',
  serviceAccountDelete: 'service_account.delete',
  endpointDisable: 'endpoint.disable',
  ltiPlatformInvite: 'lti_platform.invite',
  ltiPlatformDelete: 'lti_platform.delete',
  roomClose: 'room.close',
  roomCancel: 'room.cancel',
  sessionEnd: 'session.end',
  transcriptionStart: 'transcription.start',
  transcriptionStop: 'transcription.stop',
  transcriptRead: 'transcript.read',
  jobCancel: 'job.cancel',
  recordingDelete: 'recording.delete',
  webhookDeliveryReplay: 'webhook_delivery.replay',
  webhookTest: 'webhook.test',
  webhookRotate: 'webhook.rotate',
  webhookFinishRotation: 'webhook.finish_rotation',
  webhookDelete: 'webhook.delete',
  pushTest: 'push.test',
  pushSubscriptionDelete: 'push_subscription.delete',
  backupCreate: 'backup.create',
  backupRestore: 'backup.restore',
} as const
export type ActionKey = keyof typeof ACTIONS

/** Null: an action of a newer server. */
export const actionKey = (action: string): ActionKey | null =>
  (Object.keys(ACTIONS) as ActionKey[]).find(key => ACTIONS[key] === action) ?? null
