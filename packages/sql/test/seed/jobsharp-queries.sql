-- The queries of JobSharp's documentation as they stand there: for SQL Server, with SQLite's lines as comments.

-- # Find Scheduled Jobs Ready for Execution
SELECT * FROM Jobs
WHERE State = 1 -- Scheduled
  AND ScheduledAt <= GETUTCDATE() -- SQL Server
  -- AND ScheduledAt <= datetime('now') -- SQLite
ORDER BY ScheduledAt

-- # Find Jobs in a Batch
SELECT * FROM Jobs
WHERE BatchId = @BatchId
ORDER BY CreatedAt

-- # Find Continuation Jobs for a Parent
SELECT * FROM Jobs
WHERE ParentJobId = @ParentJobId
  AND State = 7 -- AwaitingContinuation

-- # Find Active Recurring Jobs
SELECT * FROM RecurringJobs
WHERE IsEnabled = 1
  AND (NextExecution IS NULL OR NextExecution <= GETUTCDATE())

-- # Job Statistics
-- Count jobs by state
SELECT State, COUNT(*) as Count
FROM Jobs
GROUP BY State

-- Failed jobs in last 24 hours
SELECT COUNT(*) as FailedJobs
FROM Jobs
WHERE State IN (4, 6) -- Failed or Abandoned
  AND CreatedAt >= DATEADD(hour, -24, GETUTCDATE()) -- SQL Server
  -- AND CreatedAt >= datetime('now', '-24 hours') -- SQLite

-- # Cleanup Completed Jobs
-- Delete successful jobs older than 30 days
DELETE FROM Jobs
WHERE State = 3 -- Succeeded
  AND CreatedAt < DATEADD(day, -30, GETUTCDATE()) -- SQL Server
  -- AND CreatedAt < datetime('now', '-30 days') -- SQLite

-- Delete abandoned jobs older than 7 days
DELETE FROM Jobs
WHERE State = 6 -- Abandoned
  AND CreatedAt < DATEADD(day, -7, GETUTCDATE()) -- SQL Server
  -- AND CreatedAt < datetime('now', '-7 days') -- SQLite

-- # Reset Failed Jobs for Retry
UPDATE Jobs
SET State = 1, -- Scheduled
    RetryCount = 0,
    ScheduledAt = GETUTCDATE(), -- SQL Server
    -- ScheduledAt = datetime('now'), -- SQLite
    ErrorMessage = NULL
WHERE State = 4 -- Failed
  AND RetryCount < MaxRetryCount

-- # Monitoring Queries
-- Jobs pending execution
SELECT COUNT(*) FROM Jobs WHERE State = 1 AND ScheduledAt <= GETUTCDATE()

-- Jobs currently processing
SELECT COUNT(*) FROM Jobs WHERE State = 2

-- Average job execution time (for completed jobs)
SELECT AVG(DATEDIFF(second, ScheduledAt, ExecutedAt)) as AvgExecutionSeconds
FROM Jobs
WHERE State = 3 AND ExecutedAt IS NOT NULL AND ScheduledAt IS NOT NULL

-- Most common job types
SELECT TypeName, COUNT(*) as Count
FROM Jobs
GROUP BY TypeName
ORDER BY Count DESC
