//! Names of .NET types that a top-level namespace would hide.

/// Public types of `System` and of the implicitly used namespaces (`ImplicitUsings`), and others that the runtime uses. A top-level
/// namespace with such a name takes precedence in everything that is compiled with it, even inside any namespace.
const NAMES: &str = "
    ASCIIEncoding Action Activator AggregateException ApartmentState AppContext AppDomain AppDomainSetup ApplicationId ArgIterator
    ArgumentException ArgumentNullException ArgumentOutOfRangeException Array ArrayPool ArraySegment Ascii AsyncCallback AsyncFlowControl
    AsyncLocal AsyncLocalValueChangedArgs Attribute AuthenticationException AutoResetEvent Barrier Base64 Base64FormattingOptions BigInteger
    BinaryPrimitives BinaryReader BinaryWriter BitConverter BitOperations Boolean Buffer BufferedStream Byte ByteArrayContent
    ByteEqualityComparer CancellationToken CancellationTokenRegistration CancellationTokenSource Char CharEnumerator ClientCertificateOption
    CodePagesEncodingProvider CollectionExtensions Comparer Comparison CompositeFormat CompressedStack CompressionLevel CompressionMode
    ConcurrentDictionary ConcurrentExclusiveSchedulerPair ConcurrentStack ConfigureAwaitOptions Console ConsoleColor ConsoleKey ConsoleKeyInfo
    ConsoleModifiers ConsoleSpecialKey ContextBoundObject ContextCallback Convert Converter CountdownEvent CultureAwareComparer CultureInfo
    DBNull DateOnly DateTime DateTimeKind DateTimeOffset DateTimeStyles DayOfWeek Decimal Decoder DecoderFallback DecoderFallbackBuffer
    DecoderFallbackException DecoderReplacementFallback DecoderReplacementFallbackBuffer DeflateStream Delegate DelegatingHandler Dictionary
    Directory DirectoryInfo Dns Double DriveInfo DriveType Encoder EncoderFallback EncoderFallbackBuffer EncoderReplacementFallback
    EncoderReplacementFallbackBuffer Encoding EncodingExtensions EncodingInfo EncodingProvider Enum EnumEqualityComparer Enumerable
    EnumerableExecutor EnumerableQuery EnumerationOptions Environment EnvironmentVariableTarget EqualityComparer EventResetMode EventWaitHandle
    Exception ExecutionContext File FileAccess FileInfo FileMode FileOptions FileShare FileStream FileStreamOptions FileStyleUriParser
    FileSystemAclExtensions FileSystemInfo FileSystemWatcher FormUrlEncodedContent FormatException FormattableString FtpStyleUriParser Func GC
    GCCollectionMode GCGenerationInfo GCKind GCMemoryInfo GCNotificationStatus GZipStream GenericComparer GenericEqualityComparer
    GenericUriParser GenericUriParserOptions GopherStyleUriParser Grouping Guid Half HandleInheritability HashCode HashSet
    HeaderEncodingSelector HostExecutionContext HostExecutionContextManager HttpClient HttpClientHandler HttpCompletionOption HttpContent
    HttpIOException HttpKeepAlivePingPolicy HttpMessageHandler HttpMessageInvoker HttpMethod HttpRequestError HttpRequestException
    HttpRequestMessage HttpRequestOptions HttpRequestOptionsKey HttpResponseMessage HttpStyleUriParser HttpVersion HttpVersionPolicy
    IAsyncDisposable IAsyncEnumerable IAsyncEnumerator IAsyncResult IBufferWriter ICloneable ICollection IComparable IComparer IConvertible
    ICustomFormatter IDictionary IDisposable IEnumerable IEnumerator IEqualityComparer IEquatable IFormatProvider IFormattable IGrouping IList
    ILookup IOCompletionCallback IOException IObservable IObserver IOrderedEnumerable IOrderedQueryable IPAddress IParsable IProgress
    IQueryProvider IQueryable IReadOnlyCollection IReadOnlyDictionary IReadOnlyList IReadOnlySet IServiceProvider ISet ISpanFormattable
    ISpanParsable IThreadPoolWorkItem ITimer IUtf8SpanFormattable IUtf8SpanParsable ImmutableArrayExtensions Index Int128 Int16 Int32 Int64
    IntPtr Interlocked InvalidDataException InvalidOperationException KeyNotFoundException KeyValuePair LayoutKind Lazy LazyInitializer
    LazyThreadSafetyMode LdapStyleUriParser LinkedList LinkedListNode List LoaderOptimization LocalDataStoreSlot LockCookie LockRecursionPolicy
    Lookup ManualResetEvent ManualResetEventSlim MarshalByRefObject MatchCasing MatchType Math MathF Memory MemoryExtensions MemoryMarshal
    MemoryStream MessageProcessingHandler MethodImplOptions MidpointRounding ModuleHandle Monitor MulticastDelegate MultipartContent
    MultipartFormDataContent Mutex NativeOverlapped NetPipeStyleUriParser NetTcpStyleUriParser NetworkStream NewsStyleUriParser
    NonRandomizedStringEqualityComparer NormalizationForm NotifyFilters Nullable NullableComparer NullableEqualityComparer NumberStyles Object
    ObjectComparer ObjectDisposedException ObjectEqualityComparer OperatingSystem OperationCanceledException OperationStatus
    OrderedParallelQuery OrdinalComparer OverflowException Overlapped Parallel ParallelEnumerable ParallelExecutionMode ParallelLoopResult
    ParallelLoopState ParallelMergeOptions ParallelOptions ParallelQuery ParameterizedThreadStart Path PeriodicTimer PlatformID
    PreAllocatedOverlapped Predicate PriorityQueue Progress ProtocolType Queryable Queue Random RandomAccess RandomNumberGenerator Range
    ReadOnlyMemory ReadOnlyMemoryContent ReadOnlySpan ReaderWriterLock ReaderWriterLockSlim ReferenceEqualityComparer RegisteredWaitHandle
    RemoteCertificateValidationCallback Rune RuntimeArgumentHandle RuntimeFieldHandle RuntimeMethodHandle RuntimeTypeHandle SByte SearchOption
    SearchValues SeekOrigin SelectMode Semaphore SemaphoreSlim SendOrPostCallback SequencePosition Single Socket SocketError SocketException
    SocketType SocketsHttpConnectionContext SocketsHttpHandler SocketsHttpPlaintextStreamFilterContext SortedDictionary SortedList SortedSet
    Span SpanLineEnumerator SpanRuneEnumerator SpinLock SpinWait SslClientAuthenticationOptions SslPolicyErrors SslProtocols SslStream Stack
    Stopwatch Stream StreamContent StreamReader StreamWriter String StringBuilder StringComparer StringComparison StringContent
    StringNormalizationExtensions StringReader StringRuneEnumerator StringSplitOptions StringWriter SynchronizationContext Task
    TaskAsyncEnumerableExtensions TaskCompletionSource TaskContinuationOptions TaskCreationOptions TaskExtensions TaskFactory TaskScheduler
    TaskStatus TaskToAsyncResult TextReader TextWriter Thread ThreadLocal ThreadPool ThreadPoolBoundHandle ThreadPriority ThreadStart
    ThreadState TimeOnly TimeProvider TimeSpan TimeZone TimeZoneInfo Timeout TimeoutException Timer TimerCallback TransportContext TreeSet Tuple
    TupleExtensions Type TypeCode TypedReference UInt128 UInt16 UInt32 UInt64 UIntPtr UTF32Encoding UTF7Encoding UTF8Encoding UnicodeEncoding
    UnitySerializationHolder UnixFileMode UnmanagedMemoryAccessor UnmanagedMemoryStream Unsafe Uri UriBuilder UriComponents UriCreationOptions
    UriFormat UriHostNameType UriKind UriParser UriPartial UriTypeConverter Utf8 Utf8Formatter ValueTask ValueTuple ValueType Version Void
    Volatile WaitCallback WaitForChangedResult WaitHandle WaitHandleExtensions WaitOrTimerCallback WatcherChangeTypes WeakReference
    X509Certificate2Collection X509CertificateCollection X509ChainPolicy X509ChainTrustMode X509RevocationMode ZLibStream
";

/// Whether it is the name of a .NET type that other code uses unqualified.
pub fn is_system_type(name: &str) -> bool {
    NAMES.split_ascii_whitespace().any(|known| known == name)
}
