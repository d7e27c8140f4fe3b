/** The person who is signed in on the pictures. */
export const VIEWER = 'president';
