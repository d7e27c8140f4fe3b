// Owns the strains: the collections with bulk births, their number at full size, and the format of their
// codes. A strain is the births of one species in one collection; `contracts` has two strains.

export interface Strain {
  readonly collection: string;
  /** Shown as `SP-…` in upper case. */
  readonly species: string;
  /** Births at full size. The strain with `takesRest` also gets the rounding remainder. */
  readonly births: number;
  readonly prefix: string;
  /** Added to the member's number, which starts at 1. */
  readonly base?: number;
  /** Zero-padded digits of the number. */
  readonly width?: number;
  /** The origin of the births; by default one of the ordinary tools. */
  readonly origin?: string;
  /** The status of every birth; `born` by default. */
  readonly status?: string;
  /** Some of its births are retired, superseded or merged. */
  readonly ages?: boolean;
  readonly takesRest?: boolean;
}

type Extras = Omit<Strain, 'collection' | 'species' | 'births' | 'prefix'>;

function strain(
  collection: string,
  species: string,
  births: number,
  prefix: string,
  extras: Extras = {},
): Strain {
  return { collection, species, births, prefix, ...extras };
}

export const strains: readonly Strain[] = [
  // The large containers of inheriting classes. A-99123 is the 23rd article, so that it exists at every size.
  // The number of revisions makes the total equal to the births of the reference host.
  strain('articles', 'article', 400_000, 'A-', { base: 99_100, width: 1, ages: true }),
  strain('article_revisions', 'revision', 221_797, 'AR-', { width: 7, takesRest: true }),
  strain('media_files', 'media', 130_000, 'MF-'),
  strain('comments', 'comment', 100_000, 'CM-'),
  strain('pages', 'page', 9_000, 'PG-', { ages: true }),
  strain('page_blocks', 'page', 18_000, 'PB-'),
  strain('categories', 'taxonomy', 600, 'CAT-'),
  strain('tags', 'taxonomy', 2_400, 'TAG-'),
  strain('translations', 'revision', 14_000, 'TR-'),
  strain('documents', 'document', 8_000, 'DOC-', { ages: true }),
  strain('contracts', 'contract', 1_500, 'CT-', { ages: true }),
  strain('contracts', 'annex', 900, 'CX-'),
  strain('invoices', 'invoice', 7_200, 'INV-'),
  strain('invoice_lines', 'invoice', 16_000, 'IL-'),
  strain('payments', 'payment', 6_400, 'PAY-'),
  strain('orders', 'order', 6_800, 'ORD-'),
  strain('order_lines', 'order', 15_000, 'OL-'),
  strain('products', 'product', 3_200, 'PRD-', { ages: true }),
  strain('product_variants', 'product', 5_200, 'PV-'),
  strain('price_lists', 'product', 300, 'PL-'),
  strain('customers', 'party', 9_600, 'CU-'),
  strain('customer_addresses', 'party', 4_800, 'CA-'),
  strain('suppliers', 'party', 500, 'SU-'),
  strain('employees', 'person', 700, 'EM-', { ages: true }),
  strain('departments', 'person', 60, 'DP-'),
  strain('projects', 'work', 420, 'PJ-'),
  strain('tasks', 'work', 5_200, 'TK-'),
  strain('tickets', 'ticket', 6_000, 'T-'),
  strain('ticket_messages', 'comment', 9_000, 'TM-'),
  strain('campaigns', 'campaign', 240, 'CP-'),
  strain('newsletters', 'campaign', 160, 'NL-'),
  strain('venues', 'place', 120, 'VN-'),
  strain('bookings', 'order', 1_800, 'BK-'),
  strain('courses', 'course', 150, 'CO-'),
  strain('lessons', 'course', 900, 'LS-'),
  strain('devices', 'device', 480, 'DV-'),
  // An island: it has its own owner, its own approvals and its own final status.
  strain('lab_experiments', 'specimen', 300, 'LX-'),
  strain('lab_results', 'specimen', 900, 'LR-'),
  strain('lab_models', 'specimen', 120, 'LM-', { status: 'lab_sealed' }),
  strain('field_notes', 'note', 700, 'FN-'),
  strain('partner_feed_items', 'feed', 2_600, 'PF-', { origin: 'FEED-UNVERIFIED' }),
  strain('publishing_jobs', 'job', 240, 'PJB-', { origin: 'DOT-213' }),
  strain('saved_views', 'preference', 1_200, 'SV-'),
  strain('user_drafts', 'note', 1_900, 'UD-'),
  strain('glossary_terms', 'taxonomy', 800, 'GT-'),
  // Collections whose coverage decision excludes them, or is still open.
  strain('personal_notes', 'note', 1_400, 'PN-'),
  strain('bookmarks', 'preference', 2_200, 'BM-'),
  strain('chat_drafts', 'note', 900, 'CD-'),
  strain('ui_themes', 'preference', 60, 'UT-'),
  strain('ml_features', 'record', 700, 'ML-'),
  strain('iot_telemetry', 'device', 3_000, 'IOT-'),
  strain('legacy_catalog', 'feed', 400, 'LC-'),
  strain('old_taxonomy', 'taxonomy', 250, 'OT-'),
  strain('imported_contacts', 'party', 1_600, 'IC-'),
  strain('partner_catalog', 'product', 520, 'PC-'),
  strain('articles_tags', 'record', 4_200, 'AT-'),
  strain('system_issues', 'record', 2_400, 'ISS-'),
  strain('job_history', 'job', 1_800, 'JH-'),
  strain('search_index_cache', 'record', 1_100, 'SC-'),
  // Births in an unregistered collection.
  strain('legacy_import', 'feed', 900, 'LI-', { origin: 'bulk-import-2019' }),
];
