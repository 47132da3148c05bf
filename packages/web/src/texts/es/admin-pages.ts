export const adminPages = {
  groups: { people: 'Personas', meetings: 'Reuniones', system: 'Sistema' },
  actionsOf: 'Acciones: {{name}}',
  noMatch: 'Nada coincide con la búsqueda y los filtros.',
  clear: 'Borrar la búsqueda y los filtros',
  starts: 'Comienza',
  ends: 'Termina',
  files: 'Archivos',
  changed: 'Modificado',
  history: 'Historial',
  deletedMeeting: 'Reunión eliminada',
  changeScopes: 'Cambiar los ámbitos',
  nothingWaits: 'No hay nada en espera.',
  room: {
    open: 'Abrir su sala',
    closeHint: 'La clase ha terminado: su sesión acaba y sus enlaces indican que ha finalizado.',
    cancelHint: 'La clase no se celebra: sus enlaces indican que se ha cancelado.',
  },
  result: { recordings: 'Abrir la grabación', transcripts: 'Abrir la transcripción' },
  technicalUser: {
    create: 'Crear uno nuevo',
    existing: 'Usar uno existente',
    note: 'Las salas del socio pertenecen al usuario técnico. No necesita contraseña: el servidor del socio inicia sesión con el secreto de cliente.',
  },
  how: {
    users: 'Cree uno con «Nuevo usuario» y envíe a la persona el enlace de invitación.',
    serviceAccounts:
      'El servidor de un socio necesita una para crear salas. Créela con «Nueva cuenta de servicio» y entregue el secreto de cliente al socio.',
    sessions:
      'Una sesión aparece aquí cuando alguien entra en una reunión y desaparece cuando se va la última persona.',
    rooms: 'Los socios crean salas mediante la API de socios, con una cuenta de servicio.',
    recordings: 'Una grabación aparece aquí cuando un moderador la ha iniciado y un grabador la ha guardado.',
    transcripts:
      'Una transcripción aparece aquí cuando termina una reunión transcrita. Hace falta un transcriptor.',
    jobs: 'Una tarea aparece aquí cuando empieza una grabación o una transcripción.',
    webhooks:
      'Las entregas aparecen aquí cuando un socio ha configurado un webhook y ocurre algo en una de sus salas.',
    push: 'Las notificaciones se envían al momento. Las que un servicio push no aceptó esperan aquí el siguiente intento.',
    audit: 'Aquí figura todo lo que cambian los administradores.',
  },
}
