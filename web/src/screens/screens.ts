// The screens of the console, in the order of the navigation, each with the question that it answers.
export interface Screen {
  readonly path: string;
  readonly name: string;
  readonly title: string;
  readonly question: string;
  /** The strokes of its icon, in a box of 16. */
  readonly icon: string;
}

export const screens: readonly Screen[] = [
  {
    path: '/',
    name: 'overview',
    title: 'Overview',
    question: 'The three questions, and is anything wrong right now?',
    icon: 'M2 7.5 8 2l6 5.5M3.5 6.5V14h9V6.5',
  },
  {
    path: '/ledger',
    name: 'ledger',
    title: 'Ledger',
    question: 'Where did every object go?',
    icon: 'M3 2.5h10v11H3zM5.5 6h5M5.5 8.5h5M5.5 11h3',
  },
  {
    path: '/map',
    name: 'map',
    title: 'Map',
    question: 'What does the estate look like?',
    icon: 'M2.5 2.5h11v11h-11zM8.5 2.5v11M8.5 7h5M2.5 9.5h6',
  },
  {
    path: '/findings',
    name: 'findings',
    title: 'Findings',
    question: 'What is wrong, and what cures it?',
    icon: 'M8 2 14.5 13.5h-13zM8 6.5v3.5M8 11.7v.6',
  },
  {
    path: '/objects',
    name: 'objects',
    title: 'Objects',
    question: 'Why is this object judged as it is?',
    icon: 'M8 1.8 13.7 5v6L8 14.2 2.3 11V5zM2.3 5 8 8.2 13.7 5M8 8.2v6',
  },
  {
    path: '/rules',
    name: 'rules',
    title: 'Rules',
    question: 'What is in force, and what would another version do?',
    icon: 'M8 2v12M3 14h10M8 4 3 5.5m5-1.5 5 1.5M1.5 10 3 5.5 4.5 10zM11.5 10 13 5.5l1.5 4.5z',
  },
  {
    path: '/requests?status=pending',
    name: 'requests',
    title: 'Requests',
    question: 'What waits for me?',
    icon: 'M2 9.5 3.5 3h9L14 9.5V13H2zM2 9.5h4l.7 1.5h2.6l.7-1.5h4',
  },
  {
    path: '/exceptions',
    name: 'exceptions',
    title: 'Exceptions',
    question: 'What is accepted, and until when?',
    icon: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M8 5v3.3l2.3 1.4',
  },
  {
    path: '/gate',
    name: 'gate',
    title: 'Gate',
    question: 'May this go to production?',
    icon: 'M2.5 14V4.5M13.5 14V4.5M2.5 6h11M2.5 11h11M6 6v5M10 6v5',
  },
  {
    path: '/operations',
    name: 'operations',
    title: 'Operations',
    question: 'Does it run?',
    icon: 'M1.5 8h3l2-5 3 10 2-5h3',
  },
  {
    path: '/sources',
    name: 'sources',
    title: 'Sources',
    question: 'What is governed?',
    icon: 'M3 4c0-1 2.2-1.7 5-1.7S13 3 13 4s-2.2 1.7-5 1.7S3 5 3 4v8c0 1 2.2 1.7 5 1.7s5-.7 5-1.7V4M3 8c0 1 2.2 1.7 5 1.7s5-.7 5-1.7',
  },
];
