// Owns the interface of a pipeline stage. The pipeline is intake → tail → candidate → marks, then scan →
// candidate → coverage, then ledger, then gate; docs/walk.md follows one object along it. Each stage has one
// entry file whose top functions are defined with `defineStage`.
import { type Attributes, SpanStatusCode, trace } from '@opentelemetry/api';

type StageName = 'intake' | 'tail' | 'candidate' | 'marks' | 'scan' | 'coverage' | 'ledger' | 'gate';

/** What callers may rely on, beside the code; docs/walk.md prints it, and a test compares. */
export interface StageContract {
  readonly name: StageName;
  readonly takes: string;
  readonly returns: string;
  /** The tables it writes, or `nothing`. */
  readonly writes: string;
  readonly promises: string;
}

const tracer = trace.getTracer('gcos');

/**
 * Defines a stage. Every run is a span named `gcos.<stage>`, with the attributes that `measure` reads off its
 * result. A run that throws marks its span as failed. Without an OpenTelemetry SDK in the process there are
 * no spans, and nothing is measured.
 */
export function defineStage<Args extends readonly unknown[], Result>(
  contract: StageContract,
  run: (...args: Args) => Promise<Result>,
  measure: (result: Result) => Attributes = () => ({}),
): (...args: Args) => Promise<Result> {
  return (...args) =>
    tracer.startActiveSpan(`gcos.${contract.name}`, async (span) => {
      try {
        const result = await run(...args);
        if (span.isRecording()) span.setAttributes(measure(result));
        return result;
      } catch (error) {
        span.setStatus({
          code: SpanStatusCode.ERROR,
          message: error instanceof Error ? error.message : String(error),
        });
        throw error;
      } finally {
        span.end();
      }
    });
}
